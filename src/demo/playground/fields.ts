// Renders interactive elements as HTML. The page's script finds them by their data- attributes.
import { dateFormat } from '../../lib/clock.ts';
import { type Fields, isRecord } from '../../lib/values.ts';
import { optionsOf } from './elements.ts';
import { emoji, escapeHtml, type Reader, renderMrkdwn, renderPlain } from './mrkdwn.ts';
import { objects, textOf } from './types.ts';

export interface FieldContext {
  reader: Reader;
  /** Values entered so far, as Slack's state objects, by `block/action`. */
  entered?: Map<string, Fields> | undefined;
  /** The people and channels a picker offers. */
  people?: { id: string; name: string }[] | undefined;
  channels?: { id: string; name: string }[] | undefined;
  /** Returns the page's URL for the picture of a `slack_file`; undefined if there is none to show. */
  pictureUrl?: ((slackFile: Fields) => string | undefined) | undefined;
}

export function textHtml(value: unknown, reader: Reader): string {
  if (!isRecord(value)) return '';
  const text = textOf(value);
  return value.type === 'mrkdwn' ? renderMrkdwn(text, reader) : renderPlain(text);
}

function attributes(values: Fields): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== false && value !== '')
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
    .join('');
}

function base(element: Fields, block: Fields, act: boolean): Fields {
  // The label of an input block names its field. Other fields get an aria-label from their placeholder or the section's
  // text.
  const isLabelled = block.type === 'input' && !/^(checkboxes|radio_buttons)$/.test(String(element.type));
  const isField = !/button|overflow/.test(String(element.type));
  const name =
    textOf(block.label) || textOf(element.placeholder) || (block.type === 'section' ? textOf(block.text) : '');
  return {
    'aria-label': isField && !isLabelled ? name || 'Choose' : undefined,
    'data-action': element.action_id,
    'data-block': block.block_id,
    'data-type': element.type,
    'data-act': act ? '1' : undefined,
    'data-confirm': isRecord(element.confirm) ? JSON.stringify(element.confirm) : undefined,
  };
}

function optionHtml(option: Fields, selected: boolean): string {
  const label = emoji(escapeHtml(textOf(option.text)));
  return `<option${attributes({ value: option.value, selected })}>${label}</option>`;
}

/** If `act` is true, the element sends block_actions at once. Otherwise it is a field of a form. */
export function elementHtml(element: Fields, block: Fields, context: FieldContext, act: boolean): string {
  const type = String(element.type);
  const state = context.entered?.get(`${block.block_id}/${element.action_id}`);
  const common = base(element, block, act);
  const placeholder = textOf(element.placeholder);
  const text = (kind: string, more: Fields = {}) => {
    const value = state?.value ?? element.initial_value;
    return `<input${attributes({ type: kind, class: 'field', ...common, placeholder, value: value ?? '', ...more })}>`;
  };
  switch (type) {
    case 'button':
    case 'workflow_button': {
      const style = element.style === 'primary' || element.style === 'danger' ? ` ${element.style}` : '';
      const more = { 'aria-label': element.accessibility_label, 'data-url': element.url };
      const label = renderPlain(textOf(element.text));
      return `<button type="button" class="btn${style}"${attributes({ ...common, 'data-act': '1', ...more })}>${label}</button>`;
    }
    case 'overflow': {
      const items = optionsOf(element)
        .map((option) => {
          const value = { ...common, 'data-act': '1', 'data-value': option.value };
          return `<button type="button" class="item"${attributes(value)}>${renderPlain(textOf(option.text))}</button>`;
        })
        .join('');
      return `<details class="overflow"><summary class="btn" aria-label="More actions">⋯</summary><div class="menu">${items}</div></details>`;
    }
    case 'plain_text_input': {
      const value = String(state?.value ?? element.initial_value ?? '');
      if (element.multiline !== true) return text('text', { maxlength: element.max_length });
      const rows = attributes({ ...common, class: 'field', rows: 4, placeholder, maxlength: element.max_length });
      return `<textarea${rows}>${escapeHtml(value)}</textarea>`;
    }
    case 'email_text_input':
      return text('email');
    case 'url_text_input':
      return text('url');
    case 'number_input':
      return text('number', {
        min: element.min_value,
        max: element.max_value,
        step: element.is_decimal_allowed ? 'any' : 1,
      });
    case 'datepicker':
      return text('date', { value: state?.selected_date ?? element.initial_date });
    case 'timepicker':
      return text('time', { value: state?.selected_time ?? element.initial_time });
    case 'datetimepicker': {
      const seconds = Number(state?.selected_date_time ?? element.initial_date_time ?? Number.NaN);
      const value = Number.isFinite(seconds) ? localStamp(seconds * 1000, context.reader.tz) : '';
      return text('datetime-local', { value, 'data-tz': context.reader.tz });
    }
    case 'file_input':
      return fileInput(element, common, state);
    case 'checkboxes':
    case 'radio_buttons':
      return boxes(element, block, context, act, state);
    case 'external_select':
    case 'multi_external_select': {
      const chosen = objects([state?.selected_option ?? element.initial_option])[0];
      const shown = attributes({
        ...common,
        type: 'text',
        class: 'field',
        autocomplete: 'off',
        placeholder: placeholder || 'Type to search',
        value: chosen ? textOf(chosen.text) : '',
        'data-value': chosen?.value,
        'data-min': element.min_query_length ?? 3,
        role: 'combobox',
        'aria-expanded': 'false',
        'aria-autocomplete': 'list',
      });
      return `<span class="typeahead"><input${shown}><span class="menu" role="listbox" aria-label="Suggestions" hidden></span></span>`;
    }
    default:
      return type.includes('select') ? menu(element, context, common, placeholder, state) : '';
  }
}

function fileInput(element: Fields, common: Fields, state: Fields | undefined): string {
  const files = objects(state?.files);
  const types = Array.isArray(element.filetypes) ? element.filetypes.map((type) => `.${String(type)}`) : [];
  const max = typeof element.max_files === 'number' ? element.max_files : 10;
  const chosen = JSON.stringify(files.map(({ id, name }) => ({ id, name })));
  const input = { ...common, type: 'file', class: 'field', accept: types.join(','), multiple: max > 1 };
  const names = files.map(({ name }) => String(name)).join(', ');
  return `<input${attributes({ ...input, 'data-files': files.length > 0 ? chosen : undefined })}><span class="chosen hint" role="status">${escapeHtml(names)}</span>`;
}

function localStamp(at: number, tz: string): string {
  const parts = dateFormat('sv-SE', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' }).format(at);
  return parts.replace(' ', 'T');
}

function boxes(element: Fields, block: Fields, context: FieldContext, act: boolean, state: Fields | undefined): string {
  const radio = element.type === 'radio_buttons';
  const chosen = radio
    ? objects([state ? state.selected_option : element.initial_option])
    : objects(state ? state.selected_options : element.initial_options);
  const items = optionsOf(element).map((option) => {
    const input = attributes({
      type: radio ? 'radio' : 'checkbox',
      name: `${block.block_id}/${element.action_id}`,
      value: option.value,
      checked: chosen.some((one) => one.value === option.value),
    });
    const hint = option.description ? `<small>${textHtml(option.description, context.reader)}</small>` : '';
    return `<label class="box"><input${input}><span>${textHtml(option.text, context.reader)}${hint}</span></label>`;
  });
  return `<span class="boxes" role="${radio ? 'radiogroup' : 'group'}"${attributes(base(element, block, act))}>${items.join('')}</span>`;
}

function menu(
  element: Fields,
  context: FieldContext,
  common: Fields,
  placeholder: string,
  state: Fields | undefined,
): string {
  const type = String(element.type);
  const multiple = type.startsWith('multi_');
  const source = { ...element, ...state };
  const simple = (list: { id: string; name: string }[] | undefined, chosen: unknown): string => {
    const ids = Array.isArray(chosen) ? chosen : [chosen];
    return (list ?? [])
      .map(({ id, name }) => optionHtml({ value: id, text: { text: name } }, ids.includes(id)))
      .join('');
  };
  const choices = (): string => {
    if (type.endsWith('users_select')) {
      return simple(
        context.people,
        source.selected_user ?? source.selected_users ?? source.initial_user ?? source.initial_users,
      );
    }
    if (type.endsWith('channels_select') || type.endsWith('conversations_select')) {
      const kind = type.endsWith('channels_select') ? 'channel' : 'conversation';
      const chosen = source[`selected_${kind}`] ?? source[`selected_${kind}s`] ?? source[`initial_${kind}`];
      return simple(context.channels, chosen ?? source[`initial_${kind}s`]);
    }
    const chosen = objects(
      multiple
        ? (source.selected_options ?? source.initial_options)
        : [state ? state.selected_option : source.initial_option],
    );
    const isChosen = (option: Fields) => chosen.some((one) => one.value === option.value);
    if (element.option_groups === undefined)
      return optionsOf(element)
        .map((o) => optionHtml(o, isChosen(o)))
        .join('');
    return objects(element.option_groups)
      .map((group) => {
        const inside = optionsOf(group).map((option) => optionHtml(option, isChosen(option)));
        return `<optgroup${attributes({ label: textOf(group.label) })}>${inside.join('')}</optgroup>`;
      })
      .join('');
  };
  const empty = multiple ? '' : `<option value="">${escapeHtml(placeholder || 'Choose an option')}</option>`;
  return `<select class="field"${attributes({ ...common, multiple })}>${empty}${choices()}</select>`;
}
