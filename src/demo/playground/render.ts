// Renders blocks, messages and views as HTML that looks like Slack. The same input always gives the same text.
import { dateFormat } from '../../lib/clock.ts';
import { type Fields, isRecord } from '../../lib/values.ts';
import { readAsset } from './assets.ts';
import { elementHtml, type FieldContext, textHtml } from './fields.ts';
import { renderMarkdown } from './markdown.ts';
import { escapeHtml, plainReader, type Reader, renderMrkdwn, renderPlain } from './mrkdwn.ts';
import { dataTableHtml, tableHtml } from './tables.ts';
import { type Message, objects, str, textOf, type View } from './types.ts';

export { type Reader, renderMrkdwn } from './mrkdwn.ts';

export interface RenderContext extends FieldContext {
  /** Errors below fields, by block id; '' for the form as a whole. */
  errors?: Record<string, string> | undefined;
  /** Returns a shared file that is no picture; undefined if it is gone. */
  fileOf?: ((id: string) => { name: string; size: number; url: string } | undefined) | undefined;
}

const plainContext: RenderContext = { reader: plainReader };

function richInline(element: Fields, reader: Reader): string {
  const style = isRecord(element.style) ? element.style : {};
  const wrap = (html: string) =>
    (['bold', 'italic', 'strike', 'code'] as const).reduce((inner, name) => {
      const tag = { bold: 'b', italic: 'i', strike: 's', code: 'code' }[name];
      return style[name] === true ? `<${tag}>${inner}</${tag}>` : inner;
    }, html);
  switch (element.type) {
    case 'text':
      return wrap(renderPlain(str(element.text) ?? ''));
    case 'link':
      return wrap(renderMrkdwn(`<${str(element.url) ?? ''}|${str(element.text) ?? str(element.url) ?? ''}>`, reader));
    case 'user':
      return renderMrkdwn(`<@${str(element.user_id) ?? ''}>`, reader);
    case 'channel':
      return renderMrkdwn(`<#${str(element.channel_id) ?? ''}>`, reader);
    case 'usergroup':
      return renderMrkdwn(`<!subteam^${str(element.usergroup_id) ?? ''}>`, reader);
    case 'emoji':
      return renderPlain(`:${str(element.name) ?? ''}:`);
    case 'date':
      return renderMrkdwn(
        `<!date^${element.timestamp}^${str(element.format) ?? '{date}'}|${str(element.fallback) ?? ''}>`,
        reader,
      );
    default:
      return '';
  }
}

function rich(element: Fields, reader: Reader): string {
  const inner = objects(element.elements);
  switch (element.type) {
    case 'rich_text_list': {
      const tag = element.style === 'ordered' ? 'ol' : 'ul';
      return `<${tag}>${inner.map((item) => `<li>${rich(item, reader)}</li>`).join('')}</${tag}>`;
    }
    case 'rich_text_quote':
      return `<blockquote>${inner.map((one) => richInline(one, reader)).join('')}</blockquote>`;
    case 'rich_text_preformatted':
      // Slack's client offers to copy a code block as a whole.
      return `<div class="code"><pre>${inner.map((one) => escapeHtml(str(one.text) ?? str(one.url) ?? '')).join('')}</pre><button type="button" class="copy" data-copy aria-label="Copy"></button></div>`;
    default:
      return inner.map((one) => richInline(one, reader)).join('');
  }
}

function image(element: Fields, { pictureUrl }: RenderContext): string {
  const alt = str(element.alt_text) ?? 'image';
  const url = isRecord(element.slack_file) ? pictureUrl?.(element.slack_file) : undefined;
  if (url !== undefined) return `<img class="shown" src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`;
  // Nothing is loaded from other sites, so the alternative text is shown instead of the picture.
  return `<span class="picture" role="img">🖼 ${renderPlain(alt)}</span>`;
}

function section(block: Fields, context: RenderContext): string {
  const { reader } = context;
  const text = block.text ? `<div class="text">${textHtml(block.text, reader)}</div>` : '';
  const fields = objects(block.fields).map((field) => `<div>${textHtml(field, reader)}</div>`);
  const grid = fields.length > 0 ? `<div class="fields">${fields.join('')}</div>` : '';
  if (!isRecord(block.accessory)) return text + grid;
  const accessory =
    block.accessory.type === 'image'
      ? image(block.accessory, context)
      : elementHtml(block.accessory, block, context, true);
  return `<div class="beside"><div>${text}${grid}</div><div class="accessory">${accessory}</div></div>`;
}

function input(block: Fields, context: RenderContext): string {
  const element = isRecord(block.element) ? block.element : {};
  const optional = block.optional === true ? ' <span class="optional">(optional)</span>' : '';
  const hint = block.hint ? `<div class="hint">${textHtml(block.hint, context.reader)}</div>` : '';
  const error = context.errors?.[String(block.block_id)];
  const shown = error ? `<div class="error" role="alert">${renderPlain(error)}</div>` : '';
  const field = elementHtml(element, block, context, block.dispatch_action === true);
  const label = `<span class="label">${textHtml(block.label, context.reader)}${optional}</span>`;
  const tag = element.type === 'checkboxes' || element.type === 'radio_buttons' ? 'div' : 'label';
  return `<${tag} class="form${error ? ' wrong' : ''}">${label}${field}</${tag}>${hint}${shown}`;
}

const TASK_STATUS: Record<string, string> = {
  pending: 'To do',
  in_progress: 'In progress',
  complete: 'Done',
  error: 'Failed',
};
const TASK_ICON: Record<string, string> = { pending: '○', in_progress: '◔', complete: '✓', error: '✕' };

function task(block: Fields, reader: Reader): string {
  const status = String(block.status);
  const more = objects([block.details, block.output])
    .flatMap((part) => objects(part.elements).map((one) => `<div class="hint">${rich(one, reader)}</div>`))
    .join('');
  const sources = objects(block.sources)
    .map(({ url, text }) => renderMrkdwn(`<${str(url) ?? ''}|${str(text) ?? str(url) ?? ''}>`, reader))
    .join(' · ');
  const cited = sources === '' ? '' : `<div class="hint">${sources}</div>`;
  const icon = `<span role="img" aria-label="${escapeHtml(TASK_STATUS[status] ?? status)}">${TASK_ICON[status] ?? '•'}</span>`;
  return `<div class="task ${escapeHtml(status)}">${icon}<div>${renderPlain(str(block.title) ?? '')}${more}${cited}</div></div>`;
}

function inner(block: Fields, context: RenderContext): string {
  const { reader } = context;
  switch (block.type) {
    case 'section':
      return section(block, context);
    case 'header':
      return `<h3>${textHtml(block.text, reader)}</h3>`;
    case 'divider':
      return '<hr>';
    case 'context':
      return objects(block.elements)
        .map((element) =>
          element.type === 'image' ? image(element, context) : `<span>${textHtml(element, reader)}</span>`,
        )
        .join('');
    case 'actions':
      return objects(block.elements)
        .map((element) => elementHtml(element, block, context, true))
        .join('');
    case 'input':
      return input(block, context);
    case 'image':
      return `${block.title ? `<div class="label">${textHtml(block.title, reader)}</div>` : ''}${image(block, context)}`;
    case 'markdown':
      return `<div class="text markdown">${renderMarkdown(str(block.text) ?? '', reader)}</div>`;
    case 'rich_text':
      return objects(block.elements)
        .map((element) => rich(element, reader))
        .join('<br>');
    case 'table':
      return tableHtml(block, (one) => rich(one, reader));
    case 'data_table':
      return dataTableHtml(block, (one) => rich(one, reader));
    case 'alert':
      return `<div class="alert ${escapeHtml(str(block.level) ?? 'default')}" role="status">${textHtml(block.text, reader)}</div>`;
    case 'card': {
      const parts = [
        isRecord(block.hero_image) ? image(block.hero_image, context) : '',
        block.title ? `<b>${textHtml(block.title, reader)}</b>` : '',
        block.subtitle ? `<div class="hint">${textHtml(block.subtitle, reader)}</div>` : '',
        block.body ? `<div>${textHtml(block.body, reader)}</div>` : '',
      ];
      const buttons = objects(block.actions).map((element) => elementHtml(element, block, context, true));
      return `<div class="card">${parts.join('')}<div class="actions">${buttons.join('')}</div></div>`;
    }
    case 'carousel':
      return objects(block.elements)
        .map((card) => inner(card, context))
        .join('');
    case 'container': {
      const title = `<b>${textHtml(block.title, reader)}</b> <span class="hint">${textHtml(block.subtitle, reader)}</span>`;
      const body = renderBlocks(objects(block.child_blocks), context);
      if (block.is_collapsible !== true) return `<div class="card">${title}${body}</div>`;
      return `<details class="card"${block.default_collapsed === true ? '' : ' open'}><summary>${title}</summary>${body}</details>`;
    }
    case 'task_card':
      return task(block, reader);
    case 'plan':
      return `<b>${renderPlain(str(block.title) ?? '')}</b>${objects(block.tasks)
        .map((one) => task(one, reader))
        .join('')}`;
    default:
      return `<span class="hint">[${escapeHtml(String(block.type))}]</span>`;
  }
}

export function renderBlocks(blocks: Fields[], context: RenderContext = plainContext): string {
  return blocks
    .map((block) => `<div class="block is-${escapeHtml(String(block.type))}">${inner(block, context)}</div>`)
    .join('');
}

/** A file of a message: a picture, or a card with a link that downloads it. */
function sharedFile(id: string, context: RenderContext): string {
  const file = context.fileOf?.(id);
  if (!file)
    return `<div class="block is-image">${image({ slack_file: { id }, alt_text: 'shared file' }, context)}</div>`;
  const size = file.size < 1000 ? `${file.size} B` : `${Math.round(file.size / 1000)} KB`;
  return `<div class="block"><a class="file" href="${escapeHtml(file.url)}" download><b>${escapeHtml(file.name)}</b> <span>${size}, download</span></a></div>`;
}

export interface MessageContext extends RenderContext {
  author: { name: string; isApp: boolean };
  /** Number of replies in its thread. */
  replies?: number;
  /** Buttons in the corner, as HTML made by the page. */
  tools?: string;
}

function clock(ts: string, reader: Reader): string {
  const at = Number(ts) * 1000;
  const format = dateFormat('en-US', { timeZone: reader.tz, hour: 'numeric', minute: '2-digit' });
  return Number.isFinite(at) ? format.format(at) : '';
}

/** Returns a stable colour for an avatar, one of eight. */
function tint(name: string): number {
  return [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 8;
}

export function renderMessage(message: Message, context: MessageContext): string {
  const { author, reader } = context;
  const own = { ...context, entered: message.entered };
  const body =
    message.blocks.length > 0
      ? renderBlocks(message.blocks, own)
      : `<div class="block is-section"><div class="text">${renderMrkdwn(message.text, reader)}</div></div>`;
  const files = (message.files ?? []).map((id) => sharedFile(id, context));
  const badge = author.isApp ? '<span class="badge">APP</span>' : '';
  const only = message.ephemeralTo ? '<div class="only">👁 Only visible to you</div>' : '';
  const edited = message.edited ? '<span class="edited">(edited)</span>' : '';
  const avatar = author.isApp
    ? '<div class="avatar app">⇄</div>'
    : `<div class="avatar t${tint(author.name)}">${escapeHtml(author.name.slice(0, 1).toUpperCase())}</div>`;
  // The message's buttons appear when it has the focus.
  const focusable = context.tools ? ' tabindex="0"' : '';
  const isStreaming = message.stream?.state(reader.now) === 'streaming';
  const kind = [
    message.ephemeralTo ? ' ephemeral' : '',
    message.threadTs ? ' reply' : '',
    isStreaming ? ' streaming' : '',
  ].join('');
  const stopped = message.stream?.state(reader.now) === 'stopped_by_user' ? '<div class="hint">Stopped</div>' : '';
  return (
    `<article class="message${kind}" data-ts="${escapeHtml(message.ts)}"${focusable}>${avatar}<div class="body">${only}` +
    `<div class="who"><b>${escapeHtml(author.name)}</b>${badge}<time>${clock(message.ts, reader)}</time>${edited}</div>` +
    `${body}${stopped}${files.join('')}</div>${context.tools ?? ''}</article>`
  );
}

export function renderView(view: View, context: RenderContext = plainContext): string {
  const { definition } = view;
  const own = { ...context, entered: view.entered, errors: context.errors ?? view.errors };
  const body = renderBlocks(objects(definition.blocks), own);
  if (view.type === 'home') return `<div class="home" data-view="${escapeHtml(view.id)}">${body}</div>`;
  const general = own.errors?.[''];
  const trouble = general ? `<div class="alert error" role="alert">${escapeHtml(general)}</div>` : '';
  const submit = definition.submit
    ? `<button type="submit" class="btn primary">${renderPlain(textOf(definition.submit))}</button>`
    : '';
  const close = renderPlain(textOf(definition.close) || 'Cancel');
  const back = view.previousId ? '‹ ' : '';
  return (
    `<form class="modal" role="dialog" aria-labelledby="dialog-title" novalidate data-view="${escapeHtml(view.id)}" data-hash="${escapeHtml(view.hash)}">` +
    `<header><h2 id="dialog-title">${back}${renderPlain(textOf(definition.title))}</h2><button type="button" class="x" data-close aria-label="Close">✕</button></header>` +
    `<div class="content">${trouble}${body}</div>` +
    `<footer><button type="button" class="btn" data-close>${close}</button>${submit}</footer></form>`
  );
}

/** Renders the dialog in which Slack asks for confirmation before an element's action. */
export function renderConfirm(confirm: Fields, context: RenderContext = plainContext): string {
  const style = confirm.style === 'danger' ? 'danger' : 'primary';
  const title = textOf(confirm.title) || 'Are you sure?';
  return (
    `<div class="modal confirm" role="alertdialog" aria-modal="true" aria-labelledby="sure-title" aria-describedby="sure-text"><header><h2 id="sure-title">${renderPlain(title)}</h2></header>` +
    `<div class="content" id="sure-text">${textHtml(confirm.text, context.reader)}</div><footer>` +
    `<button type="button" class="btn" data-deny>${renderPlain(textOf(confirm.deny) || 'Cancel')}</button>` +
    `<button type="button" class="btn ${style}" data-accept>${renderPlain(textOf(confirm.confirm) || 'Yes')}</button></footer></div>`
  );
}

/** Renders a whole page around one message or view, for screenshots. */
export function renderToHtmlDocument(thing: Message | View, context: Partial<MessageContext> = {}): string {
  const full = { ...plainContext, author: { name: 'Switchboard', isApp: true }, ...context };
  const body =
    'definition' in thing
      ? thing.type === 'modal'
        ? `<div class="overlay still">${renderView(thing, full)}</div>`
        : renderView(thing, full)
      : renderMessage(thing, full);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Card</title><style>${readAsset('playground.css')}</style></head><body class="document">${body}</body></html>`;
}
