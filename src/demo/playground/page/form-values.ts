// Reads the fields of a form, and carries what was typed over to the same form when it is drawn again.
import type { Chosen } from '../protocol.ts';
import { findAll, withData } from './dom.ts';

/** The value of a field as the server takes it. */
export type FieldValue = string | string[] | { zoned: string; tz: string } | { files: string[] } | null;

/** Any element that holds a value or a group of values. */
type Field = HTMLElement & Partial<Pick<HTMLInputElement, 'value' | 'multiple' | 'type'>>;

/** The values of all fields, by `block/action`. */
export function valuesOf(form: HTMLElement): Record<string, FieldValue> {
  const fields = findAll(`[data-action]`, form).filter((element) => element.tagName !== 'BUTTON');
  return Object.fromEntries(
    fields.map((field) => [`${field.dataset.block}/${field.dataset.action}`, fieldValue(field)]),
  );
}

/** The value of one field; null if it is empty. */
export function fieldValue(field: Field): FieldValue {
  const type = field.dataset.type ?? '';
  if (field.classList.contains('boxes')) {
    const picked = findAll<HTMLInputElement>('input:checked', field).map((input) => input.value);
    return type === 'radio_buttons' ? (picked[0] ?? null) : picked;
  }
  if (type === 'file_input') return { files: chosenFiles(field).map(({ id }) => id) };
  if (isTypeahead(field)) {
    const value = field.dataset.value ?? null;
    return type.startsWith('multi_') ? (value === null ? [] : [value]) : value;
  }
  if (field instanceof HTMLSelectElement && field.multiple) {
    return [...field.selectedOptions].map((option) => option.value);
  }
  const text = field.value ?? '';
  if (text === '') return null;
  return type === 'datetimepicker' ? { zoned: text, tz: field.dataset.tz ?? 'UTC' } : text;
}

/** True for a field that asks the app for its choices. */
export function isTypeahead(element: EventTarget | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && /external_select/.test(element.dataset.type ?? '');
}

/** The files of a file field that have been uploaded. */
export function chosenFiles(field: HTMLElement): Chosen[] {
  return JSON.parse(field.dataset.files ?? '[]') as Chosen[];
}

/** Shows the names of the uploaded files below their field. */
export function showChosenFiles(field: HTMLElement, files: readonly Chosen[]): void {
  field.dataset.files = JSON.stringify(files);
  const names = field.parentElement?.querySelector('.chosen');
  if (names) names.textContent = files.map(({ name }) => name).join(', ');
}

/** Keeps what was typed when the same fields are drawn again. */
export function keepTyped(from: ParentNode, to: ParentNode): void {
  const fields = findAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    'input.field[data-action], textarea[data-action], select[data-action]',
    to,
  );
  for (const field of fields) {
    const { block, action, type } = field.dataset;
    const old = from.querySelector<HTMLInputElement | HTMLSelectElement>(withData({ block, action }));
    if (old && old.dataset.type === type) keepField(old, field);
  }
  for (const box of findAll<HTMLInputElement>('.boxes input', to)) {
    const same = `.boxes input[name="${CSS.escape(box.name)}"][value="${CSS.escape(box.value)}"]`;
    const old = from.querySelector<HTMLInputElement>(same);
    if (old) box.checked = old.checked;
  }
}

function keepField(old: HTMLElement & { value: string }, field: HTMLElement & { value: string }): void {
  if (field instanceof HTMLSelectElement && field.multiple && old instanceof HTMLSelectElement) {
    const chosen = new Set([...old.selectedOptions].map(({ value }) => value));
    for (const option of field.options) option.selected = chosen.has(option.value);
    return;
  }
  // A browser does not let a script choose a file.
  if (field.dataset.type === 'file_input') {
    showChosenFiles(field, chosenFiles(old));
    return;
  }
  field.value = old.value;
  if (old.dataset.value) field.dataset.value = old.dataset.value;
}
