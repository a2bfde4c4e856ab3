// The script of the playground's page.
import type { Command, Mention } from '../protocol.ts';
import { Client } from './client.ts';
import { Composer } from './composer.ts';
import { Controls } from './controls.ts';
import { Dialogs } from './dialogs.ts';
import { embedded, find } from './dom.ts';
import { FileFields } from './files.ts';
import { rotateLoadingMessages } from './loading.ts';
import { Sandbox } from './sandbox.ts';
import { Screen } from './screen.ts';
import { Sidebar } from './sidebar.ts';
import { Tables } from './tables.ts';
import { Toast } from './toast.ts';
import { Tour } from './tour.ts';
import { Typeahead } from './typeahead.ts';

const root = document.documentElement;
const toast = new Toast(find('#toast'));
const client = new Client(root, toast);
const composer = new Composer(client, embedded<Command[]>('commands'), embedded<Mention[]>('mentions'));
const dialogs = new Dialogs(client);
const parts = { client, composer, dialogs, sidebar: new Sidebar(), toast };
const screen = new Screen(parts);
const controls = new Controls({ ...parts, screen });
new Typeahead(client, controls);
new FileFields(client);
new Tables(screen);
rotateLoadingMessages();
if (document.querySelector('#tour')) {
  const sandbox = new Sandbox(root, screen, dialogs, toast);
  new Tour(root, client, screen, composer, sandbox);
  void sandbox.start();
}

async function run(): Promise<void> {
  try {
    await screen.follow();
  } catch {
    // The place of an earlier visit may be gone.
    client.chooseChannel(root.dataset.channel ?? '');
    await screen.follow();
  }
}
void run();
composer.focus();
