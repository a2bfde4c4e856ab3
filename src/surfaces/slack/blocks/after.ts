import { afterSteps } from '../../../../tools/surfaces/after.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Fields, recordOf, scalarText } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { actions, type Block, button, PHONE } from './text.ts';

/** The buttons for what often follows an action that was done: its next steps, and the lookup of its number. */
export function afterBlocks({ operation, shown, result, id }: Action): Block[] {
  const phone = onlyNumber([shown, result ?? {}]);
  if (phone === undefined) return [];
  const steps = (afterSteps[operation] ?? [])
    .filter(({ unless }) => unless === undefined || shown[unless] === undefined)
    .map((step, i) =>
      step.guide === undefined
        ? button(`${IDS.fill}_${i}`, step.label, `${step.operation}|${JSON.stringify({ [step.field]: phone })}`)
        : button(`${IDS.guide}_${i}`, step.label, `${step.guide}|${phone}`),
    );
  return [actions(`after:${id}`, ...steps, button(`${IDS.look}_0`, 'Look up', phone))];
}

/** The number that an action is about; undefined if there is none or several. */
function onlyNumber(records: readonly Fields[]): string | undefined {
  const found = new Set(
    records.flatMap((record) => {
      const { PhoneNumber, PhoneNumberAssigned, PhoneNumbers } = record;
      const rows = Array.isArray(PhoneNumbers) ? PhoneNumbers.map((row) => recordOf(row).Number ?? row) : [];
      return [PhoneNumber, PhoneNumberAssigned, ...rows].map(scalarText).filter((one) => PHONE.test(one));
    }),
  );
  const [phone] = found;
  return found.size === 1 ? phone : undefined;
}
