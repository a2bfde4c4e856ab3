import type { Role } from '../lib/actor.ts';
import type { Risk } from './risk.ts';

/** Filters the catalogue by toolset, read-only mode and role. */
interface Selection {
  /**
   * `all`, presets such as `core`, or groups, which have all their tools. A tool is offered if one of them has it.
   */
  toolsets: readonly string[];
  readOnly: boolean;
  role: Role;
}

/** The members of a tool that filtering needs. The derived list at start-up has only these. */
export interface Listed {
  id: string;
  group: string;
  risk: Risk;
  /** As in the definition of an operation. */
  beyondSpecification?: true;
}

/** A named toolset. The data is in tools/groups.ts. */
interface Preset {
  /** Groups whose tools are included, except operations beyond the specification. */
  groups?: readonly string[];
  /** Ids of tools of those groups that are left out. */
  without?: readonly string[];
  /** Further tools, by id, such as the reads that find what the tools of the groups need. */
  ids?: readonly string[];
}

export type Presets = Readonly<Record<string, Preset>>;

/** Applies toolsets, then read-only mode, then the role. Each only removes tools. */
export function select<T extends Listed>(tools: readonly T[], presets: Presets, selection: Selection): T[] {
  const isIn = ({ id, group, beyondSpecification }: T, name: string) => {
    if (name === 'all') return true;
    const preset = presets[name];
    if (!preset) return group === name;
    const isLeftOut = beyondSpecification || preset.without?.includes(id);
    return preset.ids?.includes(id) || (!isLeftOut && preset.groups?.includes(group));
  };
  return tools
    .filter((tool) => selection.toolsets.some((name) => isIn(tool, name)))
    .filter((tool) => !selection.readOnly || tool.risk === 'read')
    .filter((tool) => mayAsk(selection.role, tool));
}

/** True if the role may ask for this tool. Gated tools still wait for a person. */
export function mayAsk(role: Role, tool: Pick<Listed, 'risk'>): boolean {
  return tool.risk === 'read' || role !== 'viewer';
}
