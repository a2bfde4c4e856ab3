import type { Role } from '../lib/actor.ts';
import { isGated, type Tool } from './operation.ts';

/** Filters the catalogue by toolset, read-only mode and role. `toolsets`: `core`, `all`, a preset, or groups. */
export interface Selection {
  toolsets: readonly string[];
  readOnly: boolean;
  role: Role;
}

/** The part of a tool that filtering needs. The derived list at start-up has no more. */
export interface Listed {
  id: string;
  group: string;
  risk: Tool['risk'];
}

/**
 * Toolsets that are not groups, with their ids or groups, and the ids they leave out. `core` is everything but what it leaves
 * out. The data is in tools/groups.ts.
 */
export type Presets = Readonly<
  Record<string, { groups?: readonly string[]; ids?: readonly string[]; without?: readonly string[] }>
>;

/** Applies toolsets, then read-only mode, then the role. Each only removes tools. */
export function select<T extends Listed>(tools: readonly T[], presets: Presets, selection: Selection): T[] {
  return tools
    .filter((tool) => selection.toolsets.some((name) => inToolset(tool, name, presets)))
    .filter((tool) => !selection.readOnly || tool.risk === 'read')
    .filter((tool) => mayAsk(selection.role, tool));
}

/** True if the role may ask for this tool. Gated tools still wait for a person. */
export function mayAsk(role: Role, tool: Pick<Listed, 'risk'>): boolean {
  return tool.risk === 'read' || role !== 'viewer';
}

/** The roles needed to ask for a tool and to confirm it. */
export function neededRole(tool: Pick<Listed, 'risk'>): { ask: Role; confirm: Role | undefined } {
  return { ask: tool.risk === 'read' ? 'viewer' : 'operator', confirm: isGated(tool) ? 'approver' : undefined };
}

function inToolset(tool: Listed, name: string, presets: Presets): boolean {
  if (name === 'all') return true;
  const preset = presets[name];
  if (preset?.without?.includes(tool.id)) return false;
  if (name === 'core') return true;
  if (!preset) return tool.group === name;
  return (preset.groups?.includes(tool.group) ?? false) || (preset.ids?.includes(tool.id) ?? false);
}
