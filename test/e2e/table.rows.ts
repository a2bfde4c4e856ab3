import { account } from './rows/account.ts';
import { distributor } from './rows/distributor.ts';
import { message } from './rows/message.ts';
import { numbers } from './rows/numbers.ts';
import { oauth2 } from './rows/oauth2.ts';
import { packages } from './rows/packages.ts';
import { products } from './rows/products.ts';
import { records } from './rows/records.ts';
import type { Rows } from './rows/row.ts';
import { subscribers } from './rows/subscribers.ts';
import { subscriptions } from './rows/subscriptions.ts';
import { voice } from './rows/voice.ts';
import { webhook } from './rows/webhook.ts';
import { workflows } from './rows/workflows.ts';
import { workgroups } from './rows/workgroups.ts';

export {
  added,
  contains,
  has,
  matches,
  number,
  one,
  type Row,
  type Run,
} from './rows/row.ts';

/** The rows of every operation: one file for each folder of `tools/`, and one for what reads back, changes and removes. */
export const rows: Rows = {
  ...oauth2,
  ...account,
  ...subscribers,
  ...message,
  ...voice,
  ...webhook,
  ...products,
  ...packages,
  ...subscriptions,
  ...numbers,
  ...workgroups,
  ...workflows,
  ...distributor,
  ...records,
};
