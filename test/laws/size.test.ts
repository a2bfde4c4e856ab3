import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';

/*
 * The size of each room, in lines that are neither blank nor a comment. A figure may go down with any change. A change that
 * raises one says beside it why it must.
 */

const MOST: Readonly<Record<string, number>> = {
  // Files that are read together became one, and addresses are read without an HTTP client. The longer import lists raised
  // some rooms by a few lines.
  // The help of `store rebind`; the bundle loads libsql's native part directly.
  // A command whose output could not be written to a file fails. A start does not load node:child_process.
  src: 472,
  'src/assistant': 1550,
  // A list to the values that its lines have, and an older one that is planned late, leave no question beside the newer one.
  // Rows that take effect later are counted apart.
  // What a later batch or call has done is not in the rest of one. Rows that were done in part, or whose order is open, are
  // counted apart, and a batch in place of a question is one.
  // Only refusals count for the stop rule, and rows that a killed process left do not.
  // Whoever may say yes to a batch in Slack reads its rows, and a plan that nobody was asked about is no question.
  // The file of a plan is a list too.
  // A batch that needs no question is asked about if it begins late.
  // An edited batch takes the place of the one before in one transaction.
  // A batch is found by the id of its question too, and a cell null removes a value.
  // A batch without the platform's statement fails with the reason.
  // A target in another spelling is the same target.
  'src/batches': 1746,
  // A secret whose answer was lost may have been shown to nobody.
  // A batch of own changes has the actions of any other own change. What a rejected order did not change is marked.
  // Two values that read alike differ in a secret only if they are addresses.
  // A completed port-in offers what follows it.
  // A refused change has its form, and people are named as people.
  'src/cards': 1998,
  // A change that was sent names its customer, for the state of an order. What holds nothing counts as left out.
  // One member that is given in two spellings is refused.
  // A part of an address that was emptied in a form is removed, or said to stay.
  // An answer that shows other values than were sent is said, and values are the same in any spelling of their kind.
  // What a record would lose is asked for in the form.
  'src/catalogue': 1443,
  // An act in the history has the reason of its requester.
  // How a done call stands is in the words of its card.
  // An address with a password alone has a credential too.
  // The service of events is a class.
  'src/events': 1559,
  // A call that asks nothing itself ends the questions that it replaces, a question keeps which calls were sent before it, and
  // a waiting batch is compared by its rows. The rules of an input hold again at the yes, and calls for one record are asked
  // about one after the other. A question and those that it replaces change in one transaction.
  // Every question names the changes of its line that are ordered for a later day.
  // A change that may be scheduled, or that was settled by a person, is named in the questions of its line.
  // What a question showed must still hold where a read failed when it was asked.
  // A name that could not be read when a question was asked is not read at the yes, so that the whole change is compared.
  // A warning that the question did not have voids the yes. An approver is told of the requester's own same call.
  // A yes holds for the facts as they are now, and a requester who may not ask any more is asked about.
  // A secret that a record hides is asked for again.
  // A question names the lines that its preparing step has accepted, and no other.
  // The first stages of a batch of cancellations belong to the batch.
  // Of two lists, only the entries that differ are named.
  // Changes of one record run one after the other, and every call of unknown outcome that a call excludes is named.
  // A number that the platform does not know is refused, and an unknown change of the same record is told.
  'src/gate': 3442,
  // Lines with the same values are one row for an assistant, and what was done is read again, for several calls at once.
  // The state of an order that is not completed is named.
  // Several last digits in one line are several numbers.
  // What a change for a later day changes is said with its day.
  // Fields that a call does not know are refused in discover mode too.
  // A message that the carrier did not deliver has the mark of what came to nothing.
  // A batch that has begun is not reported as changed.
  'src/language': 2940,
  // Each transaction that claims an action reads the number of the stored data. A question and those that it
  // replaces change in one transaction, and batches end with the actions of files that are opened again.
  // One place names how a done call stands, for single calls and rows.
  // An unknown outcome is settled by time that a set clock does not shorten.
  // Calls are compared in one spelling.
  'src/ledger': 1442,
  // A read that failed is said to be not read.
  // Names are compared only as far as they may differ.
  // Two different records of one number are none.
  // Words that cannot be near are not compared, because every start compares the environment.
  // The first letter of a text is raised and lowered by two functions, which fourteen rooms had for themselves.
  // A clock's lead over its monotonic time is stored with the time of the last byte.
  // PUBLIC_URL is an origin, as the platform's address is.
  // One function finds a member by its path, which three rooms had for themselves.
  'src/lib': 2255,
  // A day that does not exist is found and named, and a number fills a field of digits only if the field takes it.
  // An or between two records fills no change, and what an order forbids is not what it names.
  // A month with a day that it does not have is no month alone.
  'src/nlu': 1477,
  // Released places are written together, days are in words for people, and an order has one reading of its open states.
  // An answer to a change about another record leaves its outcome open.
  // A place in the budget is checked right before the first byte.
  // A process that sent nothing for a minute has the part of a new one while the database is away.
  // A read that is answered with an empty record got no answer.
  // Places that others held at the last count stay theirs while the database is away.
  // A web page with a refusal is no refusal of the API.
  // Ids have one spelling in comparisons, and what a contradicting answer did is told.
  // The client and its tokens are classes with named methods, no long closures.
  'src/platform': 2800,
  // What the stored data belongs to is checked at each start, and running processes compare their settings.
  // A part of a command refuses the flags that it does not take.
  // The requests of doctor count in the budget, and an address of the issuer is checked like its keys.
  // A sync that nobody may confirm here ends with an error document.
  // Raising stored data is told, and a copied file is refused by every command.
  // The sign-in at the issuer is offered on the pages of the MCP server too.
  'src/start': 3359,
  // The steps of the stored data, and the refusal of data that is not this program's.
  // Every transaction that changes work reads the number of the stored data.
  // Tables of another program are refused by every command.
  // Raising stored data is told.
  // An idle process on SQLite reads a version, and no tables.
  'src/store': 1094,
  // A change is shown where other people confirm it, and taken back where it was asked for.
  // A search that found nothing says it in one sentence.
  // Types come from the files that declare them.
  'src/surfaces/cli': 1839,
  // A method with the name of a member of every object is no method.
  // A number is completed in every spelling in which it is read.
  // Arguments of prompts are checked like those of tools.
  // The two handlers of HTTP are classes.
  'src/surfaces/mcp': 1669,
  // A batch that was confirmed while the form of its plan was open is not edited.
  // What asks one person alone stands once, and each of these messages shows the end.
  // The writer of a batch of own changes applies it where it was planned, and it has its card there.
  // The form of a batch has every value of the list that is edited.
  // A form that opens with values carries what it has no input for, and says so.
  // A press is answered also if Slack does not change the message, and a guide leaves the question of another one.
  // A choice is named in hints as its menu names it.
  // A refused edit leaves the question before where it waits.
  // Guides say which step waits and which name they could not use; a question that Slack refuses hides nothing else.
  'src/surfaces/slack': 7462,
  // The confirmation page is a class.
  'src/surfaces/web': 855,
  // A claim of jobs reads the number of the stored data.
  'src/work': 547,
  // Stored data of the number before is raised on both engines. Attacks on what takes the place of a question, and on what
  // is asked twice in Slack.
  // Calls in other spellings, and files while they are copied and after they are opened again.
  // Places that could be broken unseen have a case.
  // Changes of one record at once, and calls in more spellings.
  // Senseless bodies, the steps of a guide, and names that are looked up one by one.
  // A test of a day that is over holds at any hour.
  // The end of a call that another process has settled, and a value that is compared after a later call.
  // A format of a webhook that is left out, and methods of /healthz.
  test: 29_812,
  // Numbers that are being ported in are found by list and by the name of their customer. A number stands once in a call.
  // Two numbers in a look-up of one are refused.
  // A price and a list of events have one spelling.
  // The guides say that a line is ready once its order is completed.
  // A search takes several last digits, and a name beside digits.
  // Who loses a number, and whose lines a member of a workgroup has, are named.
  // What a list does not say about a route or a package counts as not known.
  // The same records in another order are the same question.
  // Every line of a route and every subscriber of a package is compared, also where few are named.
  // Numbers without their plus sign are the same numbers, and packages in another order the same packages.
  // Forms say what they do without codes.
  // Numbers that are given away or ported exclude other calls.
  // A blocked contact that is allowed, days that do not exist, and lists that are absent are told.
  // Items of a package are listed by their product, and a misspelt member of keyword rules is refused.
  tools: 8927,
};

/** The lines of code of a file. */
function codeLines(text: string): number {
  let isComment = false;
  return text.split('\n').filter((line) => {
    const trimmed = line.trim();
    if (isComment) {
      isComment = !trimmed.includes('*/');
      return false;
    }
    isComment = trimmed.startsWith('/*') && !trimmed.includes('*/');
    return trimmed !== '' && !trimmed.startsWith('//') && !trimmed.startsWith('/*');
  }).length;
}

/** `src/gate`, `src/surfaces/slack`; the groups of operations are one room, and so are the tests. */
function roomOf(path: string): string | undefined {
  const [top = '', room = '', inner = ''] = path.split('/');
  if (top === 'test') return /^(?:demo|bench|soak|chaos|fuzz|drills|conformance)$/.test(room) ? undefined : top;
  if (top === 'tools' || room.includes('.')) return top;
  if (room === 'demo') return undefined;
  return room === 'surfaces' ? `${top}/${room}/${inner}` : `${top}/${room}`;
}

function sizes(): Record<string, number> {
  const found: Record<string, number> = {};
  const paths = ['src', 'tools', 'test'].flatMap((top) =>
    readdirSync(`${ROOT}/${top}`, { recursive: true, encoding: 'utf8' }).map((path) => `${top}/${path}`),
  );
  for (const path of paths.filter((name) => /\.(?:ts|mjs)$/.test(name))) {
    const room = roomOf(path);
    if (room) found[room] = (found[room] ?? 0) + codeLines(readFileSync(`${ROOT}/${path}`, 'utf8'));
  }
  return found;
}

describe('the size of each room', () => {
  const found = sizes();

  it('is known for every room', () => expect(Object.keys(found).sort()).toEqual(Object.keys(MOST).sort()));

  it.each(Object.entries(MOST))('%s has at most %i lines of code', (room, most) => {
    expect(found[room]).toBeLessThanOrEqual(most);
  });
});
