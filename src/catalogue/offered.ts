import type { Role } from '../lib/actor.ts';
import { isGated, type Tool } from './operation.ts';

/** What is offered to whom. `toolsets`: `core`, `all`, a preset, or groups. */
export interface Selection {
  toolsets: readonly string[];
  readOnly: boolean;
  role: Role;
}

/** As much of a tool as choosing it needs: the derived list at start-up has no more. */
export interface Listed {
  id: string;
  group: string;
  risk: Tool['risk'];
}

/** Toolset names that are no groups, and what they hold: ids, or groups. Data of tools/groups.ts. */
export type Presets = Readonly<Record<string, { groups?: readonly string[]; ids?: readonly string[] }>>;

/** Toolsets, then read-only, then role: in this order, each only taking away. */
export function select<T extends Listed>(tools: readonly T[], presets: Presets, selection: Selection): T[] {
  return tools
    .filter((tool) => selection.toolsets.some((name) => inToolset(tool, name, presets)))
    .filter((tool) => !selection.readOnly || tool.risk === 'read')
    .filter((tool) => mayAsk(selection.role, tool));
}

/** True when the role may ask for this tool at all; gated ones still wait for a person. */
export function mayAsk(role: Role, tool: Pick<Listed, 'risk'>): boolean {
  return tool.risk === 'read' || role !== 'viewer';
}

/** The role a tool needs to be asked for, and to be confirmed. */
export function neededRole(tool: Pick<Listed, 'risk'>): { ask: Role; confirm: Role | undefined } {
  return { ask: tool.risk === 'read' ? 'viewer' : 'operator', confirm: isGated(tool) ? 'approver' : undefined };
}

function inToolset(tool: Listed, name: string, presets: Presets): boolean {
  // Every operation of the catalogue is core today; `all` will add the rest of the platform's operations.
  if (name === 'core' || name === 'all') return true;
  const preset = presets[name];
  if (!preset) return tool.group === name;
  return (preset.groups?.includes(tool.group) ?? false) || (preset.ids?.includes(tool.id) ?? false);
}
