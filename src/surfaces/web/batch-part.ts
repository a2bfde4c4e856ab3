import type { ServerResponse } from 'node:http';
import { type Batches, type BatchView, PLAN_WAIT_MS } from '../../batches/batches.ts';
import type { BatchRow } from '../../batches/states.ts';
import { batchCard, batchEnd, rowsPart } from '../../cards/batch.ts';
import { PLAN, plainOf } from '../../cards/card.ts';
import { endedText } from '../../cards/outcome.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import { actionsHtml, cardHtml, formHtml, tableHtml } from './card.ts';
import { addressOf } from './html.ts';

/* The part of the confirmation page about a batch: its rows, its progress, and its buttons. */

/** The buttons of a run and of its end. */
const CONTROLS: readonly string[] = ['stop', 'rest'];

/** The parts of a batch on the confirmation page, as HTML. */
export interface BatchHtml {
  /** The state of the run; undefined before it. */
  state: { text: string; name: BatchView['state'] } | undefined;
  /** Progress and the buttons of a run. */
  run: string;
  rows: string;
}

/** The action of a batch, and the person who sees its page. */
interface Who {
  action: Action;
  viewer: Actor;
}

export class BatchPart {
  readonly #batches: () => Promise<Batches>;

  constructor(batches: () => Promise<Batches>) {
    this.#batches = batches;
  }

  /** @param shown.hidden the hidden field of forms */
  async html({ action, viewer, hidden }: Who & { hidden: string }): Promise<BatchHtml> {
    const batches = await this.#batches();
    const view = await batches.view(idOf(action), viewer);
    const isOpen = view.state === 'waiting' && action.state === 'pending';
    const by = view.reason?.why === 'replaced' ? view.reason.by : undefined;
    const next = by === undefined ? undefined : await batches.view(by, viewer).catch(() => undefined);
    const newer = next?.confirmation;
    const replaced =
      newer === undefined ? '' : `<p><a href="${addressOf(newer)}">Open the question in its place</a></p>`;
    const card = batchCard(view, 'page');
    const controls = isOpen ? [] : card.actions.filter(({ id }) => CONTROLS.includes(id));
    // The page says who asked and confirmed below.
    const notes = cardHtml(card.parts.filter(({ kind }) => kind === 'note'));
    const run = controls.length === 0 ? '' : `${notes}${actionsHtml(controls, hidden)}`;
    return {
      state: isOpen || action.state !== 'done' ? undefined : { text: card.state, name: view.state },
      run: `${run}${replaced}`,
      rows: rowsHtml(view, await batches.rows(view.id, viewer, 'exceptions first'), isOpen ? hidden : undefined),
    };
  }

  /** Sends the rows as a CSV file. */
  async sendCsv(response: ServerResponse, { action, viewer }: Who, which: 'plan' | 'results'): Promise<void> {
    const id = idOf(action);
    const csv = await (await this.#batches()).csv(id, viewer, which);
    response.writeHead(200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${id}-${which}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(csv);
  }

  /**
   * Handles the buttons of a batch. Resolves to the id of the question to show: about the other rows or the rest, if it is
   * asked yet. Undefined for any other button.
   */
  async press(act: string | null, form: URLSearchParams, { action, viewer }: Who): Promise<string | undefined> {
    const batches = await this.#batches();
    const id = idOf(action);
    if (act === 'stop') await batches.stop(id, viewer, 'page');
    else if (act === 'leave' || act === 'rest') {
      const next =
        act === 'rest'
          ? (await batches.rest(id, viewer)).view
          : await batches.leaveOut(id, form.getAll('out').map(Number), viewer, 'page');
      const isComing = ({ state, confirmation }: BatchView) =>
        state === 'planning' || (state === 'waiting' && confirmation === undefined);
      return (await batches.while(isComing, next.id, viewer, { ms: PLAN_WAIT_MS })).confirmation ?? action.id;
    } else return undefined;
    return action.id;
  }

  /** Describes an ended batch to a person who pressed a button too late; undefined while its question waits. */
  async endedText({ action, viewer }: Who): Promise<string | undefined> {
    if (action.state === 'pending') return undefined;
    const view = await (await this.#batches()).view(idOf(action), viewer).catch(() => undefined);
    return `This batch${plainOf(endedText(action, undefined, view && batchEnd(view, 'page')))}`;
  }
}

function idOf({ shown }: Action): string {
  return String(shown.Batch);
}

/** @param hidden set while rows can be left out */
function rowsHtml(view: BatchView, rows: readonly BatchRow[], hidden: string | undefined): string {
  const mayLeave = hidden !== undefined && view.counts.waiting > 1;
  const box = ({ n }: BatchRow) => `<input type="checkbox" name="out" value="${n}" aria-label="Leave out row ${n}">`;
  const boxes = mayLeave ? rows.map((row) => (row.outcome === 'waiting' ? box(row) : '')) : undefined;
  const leave = '<button name="act" value="leave">Leave out the selected rows</button>';
  const table = tableHtml(rowsPart(view, rows), boxes && { title: 'Leave out', cells: boxes });
  const results = view.startedAt === undefined ? '' : ' · <a href="?csv=results" download>Results as CSV</a>';
  return [
    mayLeave ? formHtml(hidden, `${table}<p>${leave}</p>`) : table,
    `<p><a href="?csv=plan" download>${PLAN}</a>${results}</p>`,
  ].join('');
}
