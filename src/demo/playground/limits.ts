// Checks blocks and views against Slack's limits. Each problem has the JSON pointer that Slack would name.
import { type Fields, isRecord } from '../../lib/values.ts';
import { checkElement, checkImage, checkText, type Problem, Problems, type Surface } from './elements.ts';
import type { Files } from './files.ts';
import { objects, str } from './types.ts';

const MAX_BLOCKS: Record<Surface, number> = { message: 50, modal: 100, home: 100 };
export const MAX_VIEW_BYTES = 250_000;
export const MAX_TEXT = 40_000;

const COMMON = ['type', 'block_id'];
const MEMBERS: Record<string, readonly string[]> = {
  section: ['text', 'fields', 'accessory', 'expand'],
  header: ['text', 'level'],
  divider: [],
  context: ['elements'],
  actions: ['elements'],
  input: ['label', 'element', 'hint', 'optional', 'dispatch_action'],
  image: ['image_url', 'slack_file', 'alt_text', 'title'],
  markdown: ['text'],
  rich_text: ['elements'],
  table: ['rows', 'column_settings'],
  data_table: ['rows', 'caption', 'page_size', 'row_header_column_index'],
  alert: ['text', 'level'],
  card: ['hero_image', 'icon', 'title', 'subtitle', 'body', 'actions', 'slack_icon'],
  carousel: ['elements'],
  container: [
    'title',
    'rich_text_title',
    'subtitle',
    'child_blocks',
    'width',
    'icon',
    'is_collapsible',
    'default_collapsed',
    'has_header_divider',
  ],
  task_card: ['task_id', 'title', 'details', 'output', 'sources', 'status'],
  plan: ['title', 'tasks'],
  video: [
    'video_url',
    'thumbnail_url',
    'alt_text',
    'title',
    'title_url',
    'author_name',
    'provider_name',
    'provider_icon_url',
    'description',
  ],
  file: ['source', 'external_id'],
};
/** Blocks that Slack accepts only in modals. */
const MODAL_ONLY = ['alert'];
/** Blocks that Slack accepts only in messages. */
const MESSAGE_ONLY = ['table', 'data_table', 'markdown', 'task_card', 'plan'];

export interface CheckOptions {
  /** JSON pointer to the blocks, or to the view. */
  base?: string;
  /** The files that images may show. If left out, any file is accepted. */
  files?: Pick<Files, 'problem'> | undefined;
}

/** Returns the problems for which Slack would refuse these blocks. */
export function checkBlocks(value: unknown, surface: Surface, options: CheckOptions = {}): Problem[] {
  const { base = '/blocks', files } = options;
  const p = new Problems(files);
  const blocks = p.items(value, base, MAX_BLOCKS[surface], surface === 'home' ? 0 : 1);
  const ids = new Set<string>();
  blocks.forEach((block, i) => {
    checkBlock(p, block, `${base}/${i}`, surface);
    const id = isRecord(block) ? str(block.block_id) : undefined;
    if (id !== undefined && ids.has(id)) p.add(`${base}/${i}/block_id`, `"block_id" ${id} already exists`);
    if (id !== undefined) ids.add(id);
  });
  const tables = allBlocks(objects(value)).filter((block) => block.type === 'table');
  if (tables.length > 1) p.add(base, 'only_one_table_allowed');
  const markdown = objects(value).map((block) => (block.type === 'markdown' ? (str(block.text) ?? '').length : 0));
  if (markdown.reduce((sum, size) => sum + size, 0) > 12_000)
    p.add(base, 'markdown text must be less than 12001 characters');
  return p.list;
}

function allBlocks(blocks: Fields[]): Fields[] {
  return blocks.flatMap((block) => [block, ...objects(block.child_blocks)]);
}

function checkBlock(p: Problems, block: unknown, path: string, surface: Surface) {
  if (!isRecord(block)) return p.add(path, 'must be an object');
  const type = str(block.type);
  if (type === undefined) return p.add(path, 'missing required field: type');
  const members = MEMBERS[type];
  if (!members) return p.add(path, `unsupported type: ${type}`);
  const isElsewhere =
    surface === 'message' ? MODAL_ONLY : surface === 'modal' ? MESSAGE_ONLY : [...MESSAGE_ONLY, ...MODAL_ONLY];
  if (isElsewhere.includes(type)) return p.add(path, `unsupported type: ${type}`);
  p.only(block, path, [...COMMON, ...members]);
  p.string(block.block_id, `${path}/block_id`, 255, 1);
  switch (type) {
    case 'section':
      return checkSection(p, block, path);
    case 'header':
      p.required(block, path, 'text');
      return checkText(p, block.text, `${path}/text`, 150, 'plain');
    case 'context':
      p.items(block.elements, `${path}/elements`, 10).forEach((element, i) => {
        const at = `${path}/elements/${i}`;
        if (isRecord(element) && element.type === 'image') checkImage(p, element, at);
        else checkText(p, element, at, 3000, 'any');
      });
      return;
    case 'actions':
      return checkElements(p, block.elements, `${path}/elements`, 25, 'actions');
    case 'input':
      p.required(block, path, 'label', 'element');
      checkText(p, block.label, `${path}/label`, 2000, 'plain');
      checkText(p, block.hint, `${path}/hint`, 2000, 'plain');
      if (block.element !== undefined) checkElement(p, block.element, `${path}/element`, 'input');
      return;
    case 'image':
      checkText(p, block.title, `${path}/title`, 2000, 'plain');
      return checkImage(p, block, path, true);
    case 'table':
      return checkTable(p, block, path, 100);
    case 'data_table':
      return checkDataTable(p, block, path);
    case 'markdown':
      p.required(block, path, 'text');
      return p.string(block.text, `${path}/text`, 12_000, 1);
    case 'rich_text':
      p.items(block.elements, `${path}/elements`, 1000).forEach((element, i) => {
        const known = ['rich_text_section', 'rich_text_list', 'rich_text_quote', 'rich_text_preformatted'];
        const kind = isRecord(element) ? str(element.type) : undefined;
        if (!known.includes(kind ?? '')) p.add(`${path}/elements/${i}`, `unsupported type: ${String(kind)}`);
      });
      return;
    default:
      return checkNewer(p, block, path, type, surface);
  }
}

function checkNewer(p: Problems, block: Fields, path: string, type: string, surface: Surface) {
  switch (type) {
    case 'alert':
      p.required(block, path, 'text');
      checkText(p, block.text, `${path}/text`, 200, 'any');
      if (!['default', 'info', 'warning', 'error', 'success', undefined].includes(block.level as string | undefined)) {
        p.add(`${path}/level`, 'invalid level');
      }
      return;
    case 'card':
      checkText(p, block.title, `${path}/title`, 150, 'any');
      checkText(p, block.subtitle, `${path}/subtitle`, 150, 'any');
      checkText(p, block.body, `${path}/body`, 200, 'any');
      if (block.actions !== undefined) checkElements(p, block.actions, `${path}/actions`, 3, 'card');
      for (const name of ['hero_image', 'icon'])
        if (block[name] !== undefined) checkElement(p, block[name], `${path}/${name}`, 'picture');
      if (![block.hero_image, block.title, block.actions, block.body].some((part) => part !== undefined)) {
        p.add(path, 'one of hero_image, title, actions and body is required');
      }
      return;
    case 'carousel':
      p.items(block.elements, `${path}/elements`, 10).forEach((card, i) => {
        checkBlock(p, card, `${path}/elements/${i}`, surface);
      });
      return;
    case 'container':
      if (block.title === undefined && block.rich_text_title === undefined) {
        p.add(path, 'missing required field: title');
      }
      checkText(p, block.title, `${path}/title`, 150, 'plain');
      checkText(p, block.subtitle, `${path}/subtitle`, 150, 'any');
      p.items(block.child_blocks, `${path}/child_blocks`, 10).forEach((child, i) => {
        checkBlock(p, child, `${path}/child_blocks/${i}`, surface);
      });
      return;
    case 'task_card':
      p.required(block, path, 'task_id', 'title', 'status');
      if (!['pending', 'in_progress', 'complete', 'error'].includes(String(block.status))) {
        p.add(`${path}/status`, 'invalid status');
      }
      return;
    case 'plan':
      return p.required(block, path, 'title');
    default:
  }
}

function checkSection(p: Problems, block: Fields, path: string) {
  if (block.text === undefined && block.fields === undefined) p.add(path, 'missing required field: text');
  checkText(p, block.text, `${path}/text`, 3000, 'any');
  if (block.fields !== undefined) {
    p.items(block.fields, `${path}/fields`, 10).forEach((field, i) => {
      checkText(p, field, `${path}/fields/${i}`, 2000, 'any');
    });
  }
  if (block.accessory !== undefined) checkElement(p, block.accessory, `${path}/accessory`, 'accessory');
}

function checkElements(p: Problems, value: unknown, path: string, max: number, place: string) {
  const seen = new Set<string>();
  p.items(value, path, max).forEach((element, i) => {
    checkElement(p, element, `${path}/${i}`, place);
    const id = isRecord(element) ? str(element.action_id) : undefined;
    if (id !== undefined && seen.has(id)) p.add(`${path}/${i}/action_id`, `"action_id" ${id} already exists`);
    if (id !== undefined) seen.add(id);
  });
}

function checkTable(p: Problems, block: Fields, path: string, maxRows: number) {
  if (block.column_settings !== undefined) p.items(block.column_settings, `${path}/column_settings`, 20, 0);
  p.items(block.rows, `${path}/rows`, maxRows).forEach((row, i) => {
    p.items(row, `${path}/rows/${i}`, 20).forEach((cell, j) => {
      const at = `${path}/rows/${i}/${j}`;
      const type = isRecord(cell) ? cell.type : undefined;
      if (type !== 'raw_text' && type !== 'rich_text' && type !== 'raw_number') {
        p.add(at, `unsupported type: ${String(type)}`);
      } else if (isRecord(cell) && type !== 'rich_text') {
        p.only(cell, at, type === 'raw_number' ? ['type', 'text', 'value'] : ['type', 'text']);
        p.required(cell, at, 'text');
        p.string(cell.text, `${at}/text`, 20_000, 1);
        if (type === 'raw_number' && typeof cell.value !== 'number') p.add(`${at}/value`, 'must be a number');
      }
    });
  });
}

function checkDataTable(p: Problems, block: Fields, path: string) {
  p.required(block, path, 'caption');
  checkTable(p, block, path, 101);
  const size = block.page_size;
  if (size !== undefined && (typeof size !== 'number' || size < 1 || size > 100)) {
    p.add(`${path}/page_size`, 'must be between 1 and 100');
  }
  const rows: unknown[] = Array.isArray(block.rows) ? block.rows : [];
  const width = objects(rows[0]).length;
  if (rows.length < 2) p.add(`${path}/rows`, 'must provide at least 2 items');
  if (objects(rows[0]).some((cell) => cell.type === 'rich_text'))
    p.add(`${path}/rows/0`, 'unsupported type: rich_text');
  rows.forEach((row, i) => {
    if (objects(row).length !== width) p.add(`${path}/rows/${i}`, `must have ${width} items, as the first row`);
  });
  const named = block.row_header_column_index;
  if (named !== undefined && (typeof named !== 'number' || !Number.isInteger(named) || named < 0 || named >= width))
    p.add(`${path}/row_header_column_index`, 'must be the index of a column');
  const cells = rows.flatMap((row) => objects(row)).map((cell) => JSON.stringify(cell.text ?? cell.elements ?? ''));
  if (cells.reduce((sum, cell) => sum + cell.length - 2, 0) > 20_000) {
    p.add(`${path}/rows`, 'must be less than 20001 characters in all');
  }
}

const VIEW_MEMBERS = ['type', 'blocks', 'private_metadata', 'callback_id', 'external_id'];
const MODAL_MEMBERS = [
  ...VIEW_MEMBERS,
  'title',
  'submit',
  'close',
  'clear_on_close',
  'notify_on_close',
  'submit_disabled',
];

export function checkView(view: unknown, options: CheckOptions = {}): Problem[] {
  const { base = '/view', files } = options;
  const p = new Problems();
  if (!isRecord(view)) return [{ path: base, message: 'must be an object' }];
  const type = view.type;
  if (type !== 'modal' && type !== 'home') {
    p.add(`${base}/type`, `unsupported type: ${String(type)}`);
    return p.list;
  }
  p.only(view, base, type === 'modal' ? MODAL_MEMBERS : [...VIEW_MEMBERS, 'title', 'submit', 'close']);
  p.string(view.private_metadata, `${base}/private_metadata`, 3000);
  p.string(view.callback_id, `${base}/callback_id`, 255);
  p.string(view.external_id, `${base}/external_id`, 255);
  if (type === 'modal') {
    p.required(view, base, 'title');
    checkText(p, view.title, `${base}/title`, 24, 'plain');
    checkText(p, view.submit, `${base}/submit`, 24, 'plain');
    checkText(p, view.close, `${base}/close`, 24, 'plain');
    const inputs = objects(view.blocks).some((block) => block.type === 'input' && block.dispatch_action !== true);
    if (inputs && view.submit === undefined) {
      p.add(base, 'missing required field: submit (a modal with input blocks needs it)');
    }
  }
  return [...p.list, ...checkBlocks(view.blocks, type, { base: `${base}/blocks`, files })];
}

/** Formats problems as Slack does in `response_metadata.messages`. */
export function asMessages(problems: Problem[]): string[] {
  return problems.map(({ message, path }) => `[ERROR] ${message} [json-pointer:${path}]`);
}
