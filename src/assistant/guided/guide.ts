import { groups } from '../../../tools/groups.ts';
import { eventOperations } from '../../../tools/surfaces/events.ts';
import { FILTER_LISTS } from '../../../tools/surfaces/guard.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import { isChange, type Tool } from '../../catalogue/operation.ts';
import { CatalogueSearch, searchableOf } from '../../language/catalogue-search.ts';
import { givenOf, MAKES_NUMBER } from '../../language/families.ts';
import type { Shown } from '../../language/shown.ts';
import { respelled } from '../../language/spelling.ts';
import { type Lookup, lookups } from '../../language/typed-values.ts';
import type { Role } from '../../lib/actor.ts';
import { defined } from '../../lib/json.ts';
import { withPlainDigits } from '../../lib/text.ts';
import { withAccount } from './answers/account-scope.ts';
import { answer, asNamed, type GuidedAnswer, help, refusal, remarksOn, several, understood } from './answers/answer.ts';
import { changeOffer } from './answers/change-offer.ts';
import { withoutContext, withoutReasons } from './answers/context-clauses.ts';
import { filled, isComplete, takesNumbers, takesVolume, withMention } from './answers/fill.ts';
import { withNamedFilter } from './answers/filter-lines.ts';
import { isOnly, ofCaller, ofEveryFilter, onlyThese, saysWhoMay, trafficOf } from './answers/filters.ts';
import { Finder, guessed, nameIn } from './answers/finder.ts';
import { withUseQuestion } from './answers/in-use.ts';
import { withLeftParts } from './answers/left-parts.ts';
import { inPlaceOf, nearestTo, notUnderstood, withOtherReads } from './answers/nearest.ts';
import { withNumber } from './answers/numbers.ts';
import { ofOrderFacts } from './answers/order-facts.ts';
import { withHolderOfOrder } from './answers/order-owner.ts';
import { asksIfSent, asksWhatCame, asksWhatWaits, asksWhatWasSent, everyoneIn, outsideOf } from './answers/outside.ts';
import { withApostrophe, withoutSpace } from './answers/owners.ts';
import { ordersIn, titleOf } from './answers/parts.ts';
import { asksWhatLacks } from './answers/questions.ts';
import { withReadConditions } from './answers/read-conditions.ts';
import {
  DEEDS,
  MESSAGES,
  ofRecords,
  ofRuleOrOwn,
  ofWaiting,
  portCheck,
  type Reader,
  withRemarks,
} from './answers/readings.ts';
import { readOf } from './answers/reads.ts';
import { aboutChange, asksSomethingElse, IS_WISE, titleIn, wordsFor } from './answers/rules.ts';
import { withUntaken } from './answers/untaken.ts';
import { withMovedTo, withNamedAccount } from './changes/account-names.ts';
import { withoutGuessedLimit } from './changes/bare-limits.ts';
import { ofBorrowed } from './changes/borrowed.ts';
import { withCarrierName } from './changes/carrier-names.ts';
import { ofRouteOrder, withExisting, withNewRecord, withoutValueNames } from './changes/existing-records.ts';
import { withoutForbidden } from './changes/forbidden.ts';
import { ofGroupMember } from './changes/group-members.ts';
import { ofGroupOrder } from './changes/group-orders.ts';
import { ofGroupSettings } from './changes/group-settings.ts';
import { ofGroupState, ofGroupType, withGroupRenamed } from './changes/group-types.ts';
import { ofKeptSubject } from './changes/kept-subjects.ts';
import { withLeftName } from './changes/left-names.ts';
import { withMailHolder } from './changes/mail-holders.ts';
import { withNamedRecord } from './changes/named-records.ts';
import { withNamedSwitch, withoutDoubted } from './changes/named-switches.ts';
import { withNewPeople } from './changes/new-people.ts';
import { ofCheckThen, ofOrderThen, withNewHolder } from './changes/order-then.ts';
import { withOrderedChange } from './changes/ordered-reads.ts';
import { withPackageItem } from './changes/package-items.ts';
import { withOwnRecord } from './changes/package-orders.ts';
import { withPackagePrice } from './changes/package-price.ts';
import { partOfLine, whyNotLine } from './changes/part-of-line.ts';
import { ofPortAndOrder } from './changes/port-and-order.ts';
import { withPriceStep } from './changes/price-steps.ts';
import { ofProductValue } from './changes/product-values.ts';
import { ofReadAndAct } from './changes/read-and-act.ts';
import { withOrderAlone } from './changes/reason-clauses.ts';
import { withReceiver } from './changes/receivers.ts';
import { ofRecordState, withRouteSwitched } from './changes/record-states.ts';
import { ofRemovedMember } from './changes/removed-members.ts';
import { ofRouteWords, withOnlyRoute } from './changes/route-orders.ts';
import { withRouteOwner } from './changes/route-owner.ts';
import { ofRouteSettings } from './changes/route-settings.ts';
import { withTypedText } from './changes/sent-texts.ts';
import { withoutSharedChange } from './changes/shared-records.ts';
import { smallTalk } from './changes/small-talk.ts';
import { withTaker } from './changes/taken-by.ts';
import { withTakenLine } from './changes/taken-lines.ts';
import { withoutTaken } from './changes/taken-values.ts';
import { withoutUnnamedDelete } from './changes/unused-records.ts';
import { Clauses, HAPPENS, isWish } from './facts/clauses.ts';
import { beginsCondition, blocksOthers, conditionIn, isDoubtful, takesFrom } from './facts/doubt.ts';
import { readFacts } from './facts/facts.ts';
import { asksForDeeds, historyOf } from './facts/history.ts';
import { asInitialed, withoutInitialDots } from './facts/initials.ts';
import { areLevels, withUnits } from './facts/levels.ts';
import { wordsAside } from './facts/named-values.ts';
import { isPutOn, peopleIn } from './facts/names.ts';
import { withoutOtherChoice } from './facts/other-choices.ts';
import { withMadePlan } from './facts/plans.ts';
import { withoutNameQuotes } from './facts/quotes.ts';
import { factsOf, isTakenBack } from './facts/retraction.ts';
import { type Since, sinceIn, wallTime } from './facts/since.ts';
import {
  type Asked,
  asksForCost,
  asksForFacts,
  asksToSee,
  asksToTell,
  beginsDeed,
  type Clause,
  type Fit,
  isAboutIt,
  isForbidden,
  isPolite,
  isQuestion,
  isRefused,
  isRefusedLater,
  LAST_MONTH,
  onCondition,
  readIn,
} from './facts/stance.ts';
import { withAllReceivers, withSender } from './facts/text-orders.ts';
import { withWorkgroupName } from './facts/workgroup-names.ts';
import { withoutWhole } from './filters/filter-parts.ts';
import { ofFilterQuestion } from './filters/filter-questions.ts';
import { ofFilterSettings, rulesIn } from './filters/filter-settings.ts';
import { ofItsTraffic, ofJointFilters, withBothLists, withOtherKind } from './filters/joint-filters.ts';
import { ofNewFilter } from './filters/new-filter.ts';
import { ofOutgoing } from './filters/outgoing.ts';
import { withPlanOwner } from './reads/account-members.ts';
import { recordRead } from './reads/asked-records.ts';
import { withSecretNote } from './reads/asked-secrets.ts';
import { withAskedValues } from './reads/asked-values.ts';
import { linesOfState, ofBareList, withReleased } from './reads/bare-lists.ts';
import { ofCallForward } from './reads/call-forwards.ts';
import { asksTotal } from './reads/customer-totals.ts';
import { secondReading } from './reads/intents.ts';
import { withKindOfLine } from './reads/kind-of-line.ts';
import { ofLineFacts } from './reads/line-facts.ts';
import { criteriaIn, withConditions, withStateNames } from './reads/list-conditions.ts';
import { ofListing } from './reads/listings.ts';
import { withMailLookup, withStatedMail } from './reads/mail-lookups.ts';
import { ofOffered } from './reads/offered.ts';
import { ofOnboarding } from './reads/onboarding-facts.ts';
import { ofOtherQuestions } from './reads/other-questions.ts';
import { ofPortQuestion, withLeaving } from './reads/port-questions.ts';
import { ofProduct, type ProductSettings } from './reads/product.ts';
import { ofQuotedText } from './reads/quoted-texts.ts';
import { ofRecordChanges, withRecordKind } from './reads/record-changes.ts';
import { ofBarePlural, ofSimsOf } from './reads/record-lists.ts';
import { reportsDeed } from './reads/reported-deeds.ts';
import { withSpeechNote } from './reads/reported-speech.ts';
import { ofSearchedTexts } from './reads/searched-texts.ts';
import { ofSupervision } from './reads/supervision.ts';
import { withToldBeside } from './reads/told-beside.ts';
import { ofTopic, ofUndoing } from './reads/topic-answers.ts';
import { ofTraffic } from './reads/traffic-lists.ts';
import { withBothServices } from './sets/both-services.ts';
import { beforeText, withOtherLine, withPlainExcept } from './sets/exceptions.ts';
import { ofJointUpdate } from './sets/joint-updates.ts';
import { ofListMove } from './sets/list-moves.ts';
import { withOthers } from './sets/others.ts';
import { ofOthersThan } from './sets/others-than.ts';
import { exceptionsIn, forSet, isReadable, leavesSomeOut, setIn, withinCustomer, withOne } from './sets/sets.ts';
import { ofSeveralPorts } from './sets/several-ports.ts';
import { withSecondQuestion } from './sets/two-questions.ts';
import { asksEffect } from './threads/about-offer.ts';
import { inThread } from './threads/thread-answer.ts';
import { withCalledName } from './wordings/called-names.ts';
import { withoutOldLevel } from './wordings/gone-values.ts';
import { askedAfter, withoutInterjection } from './wordings/interjections.ts';
import { withLineValue } from './wordings/line-values.ts';
import { withListNames } from './wordings/list-names.ts';
import { asNewPerson } from './wordings/new-person.ts';
import { withPortForFirst } from './wordings/new-ports.ts';
import { withVerbOfChange } from './wordings/new-values.ts';
import { withEnded } from './wordings/no-longer.ts';
import { withNotice } from './wordings/notices.ts';
import { withOff, withoutGuessedOn } from './wordings/off-orders.ts';
import { withoutParts } from './wordings/one-order.ts';
import { newPort, ringsAs } from './wordings/own-orders.ts';
import { withWholeName } from './wordings/renamed.ts';
import { withoutReporter } from './wordings/reporters.ts';
import { type Reworded, reworded, withTold } from './wordings/rewordings.ts';
import { withServiceBack } from './wordings/service-wishes.ts';
import { withEnough } from './wordings/switch-wishes.ts';
import { ofWebhookEvents } from './wordings/webhook-changes.ts';
import { withWishes } from './wordings/wished-orders.ts';
import { withShownName } from './wordings/wrong-names.ts';

/** The areas with numbers, where a purchase is refused: "only show me, not buy". */
const FREE: Fit['family'] = {
  ...{ operation: 'numbers_availability', acts: '', things: 'area' },
  given: { MessageEnabled: true, VoiceEnabled: true },
};

/** "No port-out PIN needed any more", "never mind the new number" */
const NO_NEED =
  /\bno\s+(?:[\p{L}-]+\s+){1,4}?(?:needed|necessary|required)\b|\b(?:never\s*mind|forget(?:\s+about)?|nvm)\s+(?:the|that|this|his|her|their|about)\s+\p{L}/iu;
const NOT_NEEDED = 'You said that it is not needed. A request that waits is taken back with “Withdraw” on its card';

/** "Don't cancel 0105 after all": a request for it may wait. */
const ENDED = /\b(?:after\s+all|any\s?more|no\s+longer)\b/iu;
const STILL_WAITS = '. If a request for it waits, it is on the card of the line, and “Withdraw” takes it back';

function valuesOf({ input }: GuidedAnswer): number {
  return Object.keys(input).length;
}

/** An answer by rules. */
type Ruled = GuidedAnswer & {
  /** The part of the sentence that asks for it. */
  clause?: Clause;
  /** True if no operation was found, so that what the sentence names is looked up. */
  isFallback?: boolean;
};

export interface GuideOptions {
  tools: readonly Tool[];
  now: () => number;
  /** Settings that answers about Switchboard itself name. */
  settings?: ProductSettings;
}

/**
 * The answer of the catalogue to plain words, without a model. It performs nothing, and takes a sentence for a change
 * only if the sentence asks for it.
 */
export class Guide {
  readonly #options: GuideOptions;
  readonly #byId: ReadonlyMap<string, Tool>;
  #index: CatalogueSearch | undefined;
  readonly #lookup: Lookup | undefined;
  readonly #finder: Finder;
  readonly #clauses: Clauses;

  constructor(options: GuideOptions) {
    this.#options = options;
    this.#byId = new Map(options.tools.map((tool) => [tool.id, tool]));
    this.#clauses = new Clauses(this.#byId, () => this.#search);
    [this.#lookup] = lookups(options.tools, groups);
    this.#finder = new Finder(options.tools, this.#lookup);
  }

  /** The people of a role, as the settings name them: "Approvers: U0LEE, ops". */
  holdersOf(role: Role): string {
    const names = this.#options.settings?.holders?.[role] ?? [];
    return `${role.replace(/^./, (first) => first.toUpperCase())}s: ${names.length === 0 ? 'nobody' : names.join(', ')}`;
  }

  /** The index is made with the first question: it takes a while, and a process that is asked nothing needs none. */
  get #search(): CatalogueSearch {
    this.#index ??= new CatalogueSearch(this.#options.tools.map(searchableOf));
    return this.#index;
  }

  /**
   * @param mayUse the operations that the writer may ask for; all if left out
   * @param zone IANA time zone of the writer; UTC if left out
   * @param earlier the writer's messages before it in the thread, oldest first
   * @param shown the records that the answer to each of them showed, as far as the surface knows
   */
  answer(
    text: string,
    mayUse: (id: string) => boolean = () => true,
    zone?: string,
    earlier: readonly string[] = [],
    shown: readonly (Shown | undefined)[] = [],
  ): GuidedAnswer {
    const ended = withEnded(withEnough(text));
    const message = {
      text: withoutInitialDots(askedAfter(withPlainDigits(ended))),
      earlier: earlier.map(withoutInitialDots),
      shown,
      now: wallTime(this.#options.now(), zone),
    };
    const guided = inThread(message, {
      answered: (one) => this.#alone(one, mayUse, zone),
      toolOf: (id) => this.#tool(id),
      valuesFor: (id, part) => this.#valuesFor(id, part, mayUse, zone),
    });
    const hasPin = readFacts(text, message.now).hasPin;
    const sent = withoutForbidden(guided, ended);
    return asInitialed(hasPin ? sent : withTypedText(sent, text), [text, ...earlier]);
  }

  /** The answer to a part of an order as if it asked for this operation. */
  #valuesFor(id: string, text: string, mayUse: (id: string) => boolean, zone?: string): GuidedAnswer {
    const tool = this.#tool(id);
    const asked = this.#asked(text, mayUse, zone);
    const [first] = asked.clauses;
    if (!tool || !first) return help('');
    const fit = { tool, family: { operation: id, acts: '', things: '' }, asking: [], score: 0, isDoubtful: false };
    const guided = this.#change({ ...first, text: asked.facts.rest }, fit, asked);
    return withUntaken(guided, asked, { tool, clause: undefined, told: [], typed: (part) => part });
  }

  #asked(text: string, mayUse: (id: string) => boolean, zone?: string): Asked {
    const now = this.#options.now();
    const facts = readFacts(text, wallTime(now, zone));
    const isBack = isTakenBack(text);
    return { facts, said: text, clauses: this.#clauses.of(facts), since: undefined, mayUse, isBack, now, zone };
  }

  #alone(text: string, mayUse: (id: string) => boolean, zone?: string): GuidedAnswer {
    const now = wallTime(this.#options.now(), zone);
    const typed = withSender(withStatedMail(withoutInterjection(text)));
    // The text of a message goes out as it was typed.
    const sent = readFacts(typed, now).message;
    const own = sent === undefined ? withPlainExcept(withoutContext(typed)) : beforeText(typed, sent, withPlainExcept);
    const told = withUnits(withOtherLine(withoutReporter(own)));
    // The text of a message has no values of an order.
    const isMessage = readFacts(told, now).message !== undefined;
    const people = (part: string) =>
      newPort(withPortForFirst(withMadePlan(withWishes(asNewPerson(withWorkgroupName(withVerbOfChange(part)))))));
    const said = withUseQuestion(
      withOff(isMessage ? told : withRouteSwitched(people(withGroupRenamed(withShownName(withoutSpace(told)))))),
    );
    const one = (part: string) => withoutNameQuotes(part, (words) => this.#one(words, mayUse, zone));
    const toolOf = (id: string) => this.#tool(id);
    const mayTool = (id: string) => (mayUse(id) ? toolOf(id) : undefined);
    const tool = mayTool('numbers_portin_update');
    const values = (part: string) => this.#valuesFor('numbers_portin_update', part, mayUse, zone);
    const inTurn = isMessage
      ? undefined
      : (ofSeveralPorts(said, one, { toolOf, now }) ??
        ofOrderFacts(said, { one, values, tool, now }) ??
        ofCheckThen(said, one, toolOf) ??
        ofPortAndOrder(said, one, toolOf) ??
        ofOrderThen(said, one, toolOf));
    const guided =
      inTurn ??
      ofKeptSubject(said, (part) => this.#alone(part, mayUse, zone)) ??
      ofReadAndAct(said, (part) => this.#alone(part, mayUse, zone), toolOf) ??
      ofQuotedText(said, one) ??
      ofNewFilter(said, one, toolOf) ??
      ofSearchedTexts(said, one) ??
      ofWebhookEvents(said, mayTool) ??
      ofRecordState(said, one, mayTool) ??
      ofRemovedMember(said, mayTool) ??
      (isMessage
        ? undefined
        : (ofGroupState(said, mayTool) ??
          ofGroupSettings(said, mayTool) ??
          ofRouteSettings(told, mayTool) ??
          ofProductValue(told, mayTool) ??
          ofGroupMember(said, one, mayTool) ??
          ofGroupType(said, one, mayTool))) ??
      ofBorrowed(said, one) ??
      ofOthersThan(said, one, toolOf) ??
      ofListMove(said, one) ??
      ofJointFilters(said, one, toolOf) ??
      ofJointUpdate(said, one) ??
      withNamedRecord(said, one, toolOf);
    const named = () => peopleIn(...this.#asked(text, mayUse, zone).clauses.map(({ words }) => words));
    const alone = (part: string) => this.#alone(part, mayUse, zone);
    const owned = withHolderOfOrder(guided, said, mayTool);
    const reasoned = withSecondQuestion(withoutReasons(owned, said, alone), said, alone);
    const order = isMessage ? reasoned : withOrderAlone(reasoned, said, alone, toolOf);
    return withoutSharedChange(order, text, alone, toolOf, named);
  }

  #one(text: string, mayUse: (id: string) => boolean, zone?: string): GuidedAnswer {
    const spelling = respelled(withApostrophe(withListNames(withStateNames(text.trim()))));
    // "The line should say “Warehouse 2”" sends no message.
    const chosen = withoutOtherChoice(withWholeName(withCalledName(spelling.text)), this.#options.tools);
    const line = withLineValue(chosen.text, this.#tool('numbers_update'));
    const typed = {
      ...spelling,
      text: withNotice(withoutOldLevel(withTakenLine(ringsAs(withServiceBack(withAllReceivers(line))).text))),
    };
    const reply = smallTalk(typed.text);
    if (reply) return help(reply.why);
    const now = this.#options.now();
    const asTyped = factsOf(typed.text, wallTime(now, zone));
    const found = asksWhatLacks(typed.text) ? undefined : setIn(typed.text);
    const set = found && isReadable(typed.text, found, [asTyped.message, ...asTyped.quoted]) ? found : undefined;
    const { rest = typed.text, except = [], owns = [] } = set ? exceptionsIn(typed.text, set, asTyped.message) : {};
    const ofAll =
      set &&
      forSet(
        this.#alone(withOne(rest, set), mayUse, zone),
        {
          ...{ ...set, except, owns },
          ...{ criteria: criteriaIn({ said: rest, facts: asTyped }), isTotal: asksTotal(rest) },
          leavesOut: except.length + owns.length === 0 && leavesSomeOut(asTyped.message ? '' : rest),
        },
        (id) => this.#tool(id),
      );
    if (ofAll) return ofAll;
    // The text of a message is never reworded.
    const full: Reworded = asTyped.message === undefined ? reworded(typed.text) : { text: typed.text, told: [] };
    const plain = full.text;
    const left = [...chosen.told, ...full.told];
    const spelled = { ...typed, text: plain };
    const values = plain === typed.text ? asTyped : factsOf(plain, wallTime(now, zone));
    // A message is sent as it was typed.
    const facts = { ...values, message: values.message && spelled.typed(values.message) };
    const said = wordsAside(spelled.text, values.details);
    const since = sinceIn(said, now, zone);
    const clauses = this.#clauses.of(facts);
    const isBack = isTakenBack(said, facts.message);
    const asked = { facts, said, clauses, since, mayUse, isBack, now, zone, plain: spelled.text };
    // The text of a message is no request to us.
    const order = values.message === undefined ? said : said.replace(values.message, ' ');
    const { clause, isFallback: _, ...first } = this.#second(this.#answer(asked, order), asked, order);
    const toolOf = (id: string) => this.#tool(id);
    const read = withoutUnnamedDelete(withMailLookup(first, asked, toolOf), asked, toolOf);
    const existing = withOwnRecord(withNewRecord(withExisting(read, asked, toolOf), asked, toolOf), asked, toolOf);
    const answered = withOtherKind(
      withBothLists(ofItsTraffic(withoutWhole(existing, order, toolOf), order, toolOf), order, toolOf),
      order,
      toolOf,
    );
    const guided = withOtherReads(
      withReadConditions(
        withinCustomer(withReleased(withConditions(answered, asked, text), said), (set ?? setIn(text))?.name),
        asked,
      ),
      asked,
      {
        clausesOf: (one) => this.#clauses.of(one),
        known: [this.#lookup?.tool.id, this.#lookup?.find?.tool.id],
      },
    );
    const readOf = this.#tool(guided.operation ?? '');
    const sent = withMailHolder(withReceiver(guided, asked, readOf, this.#lookup?.find?.tool), asked, readOf);
    const withPart = (one: GuidedAnswer) => withPackageItem(withCarrierName(one, asked, readOf), asked, readOf, toolOf);
    const scoped = withNewPeople(
      withLeftParts(withPart(withAccount(sent, asked, { tool: readOf, toolOf })), asked, readOf),
      asked,
      readOf,
    );
    const switched = withNamedSwitch(scoped, asked, readOf);
    const called = withPriceStep(withLeftName(switched, asked, readOf), asked, toolOf);
    const ordered = withOrderedChange(called, asked, toolOf);
    const own = this.#tool(ordered.operation ?? '');
    const kept = withTaker(withoutTaken(withoutValueNames(ordered, own), asked, own), asked, own);
    const named = withPlanOwner(withOnlyRoute(withRouteOwner(withBothServices(kept, order)), asked), asked);
    const narrowed = withKindOfLine(named, said);
    const told = withUntaken(withOthers(withAskedValues(narrowed, asked, toolOf), asked, own), asked, {
      tool: own,
      clause,
      told: left,
      typed: typed.typed,
    });
    const part = partOfLine(told, asked);
    if (part !== undefined) return this.#instead(asked, whyNotLine(part, told));
    const sure = withoutGuessedOn(withoutDoubted(withoutGuessedLimit(told, asked), asked, own), said);
    const mayTool = (id: string) => (mayUse(id) ? this.#tool(id) : undefined);
    const one = withPackagePrice(
      withRecordKind(withMovedTo(withNamedAccount(sure, mayTool), text, mayTool), said),
      said,
      mayTool,
    );
    const beside = withToldBeside(withLeaving(withSecretNote(one, said, own), text), text);
    const spoken = withNewHolder(withSpeechNote(beside, text), said, own);
    return {
      ...withTold(asNamed(spoken, typed.typed), left, facts.today),
      ...defined({ beside: spoken.beside ?? full.beside }),
    };
  }

  /** The answer by rules, or that of the operation which examples say is meant. */
  #second(ruled: Ruled, asked: Asked, order: string): Ruled {
    const isUnread =
      ruled.isUnread === true || ruled.isFallback === true || (ruled.kind === 'help' && ruled.understood === '');
    const { take, topic, offer } = secondReading(ruled, asked, {
      isUnread,
      toolOf: (id) => (asked.mayUse(id) ? this.#tool(id) : undefined),
    });
    const { settings = {} } = this.#options;
    const told = topic && ofTopic(topic, { ...asked, said: order }, { reader: this.#reader(), settings });
    if (told) return told;
    const [clause] = asked.clauses;
    const taken =
      take && clause && isChange(take.tool)
        ? { ...this.#change({ ...clause, text: asked.facts.rest }, take, { ...asked, said: order }), clause }
        : take && this.#readOnly(take, asked, isUnread);
    // A reading that says more of the sentence is the better one.
    const isFuller = taken !== undefined && valuesOf(taken) >= valuesOf(ruled) && taken.operation !== ruled.operation;
    const isOffered = take !== undefined && isChange(take.tool) && taken?.operation === take.tool.id;
    if (taken && (isUnread || isOffered || isFuller)) return taken;
    const isShown = ({ tool }: Fit) => ruled.also?.some(({ operation }) => operation === tool.id) === true;
    const nearest = offer
      .flatMap((fit) => (isShown(fit) ? [] : fit))
      .map(({ tool }) => ({
        operation: tool.id,
        input: withMention(tool, filled(tool, asked.facts), asked.facts),
      }));
    return nearest.length === 0 ? ruled : { ...ruled, nearest: [...(ruled.nearest ?? []), ...nearest] };
  }

  /** The read of an operation, with what the sentence names. Its form only where nothing else was read. */
  #readOnly(fit: Fit, asked: Asked, isUnread: boolean): GuidedAnswer | undefined {
    const read = this.#read(fit, asked);
    // An operation that keeps something, such as a watch, is offered: a guess starts nothing.
    if (read.operation === fit.tool.id && fit.tool.risk !== 'read') return { ...read, kind: 'form' };
    if (read.kind === 'events' || (read.operation === fit.tool.id && read.kind === 'lookup')) return read;
    const values = filled(fit.tool, asked.facts, fit.family.given ?? givenOf(fit.tool.id));
    const input = withMention(fit.tool, values, asked.facts);
    if (asked.facts.mentions.length > 0 && Object.keys(input).length === 0) return undefined;
    const kind = isComplete(fit.tool, input) ? 'lookup' : 'form';
    if (kind === 'form' && !isUnread) return undefined;
    return answer(kind, { tool: fit.tool, input, understood: understood(fit.tool, input) });
  }

  /** @param order the sentence without the text of a message */
  #answer(asked: Asked, order: string): Ruled {
    const { facts, said, clauses, since, mayUse, isBack } = asked;
    const [ordered, reader] = [{ ...asked, said: order }, this.#reader()];
    const product =
      ofPortQuestion(ordered, reader) ??
      ofProduct(ordered, reader, this.#options.settings ?? {}) ??
      ofOnboarding(ordered, reader);
    const route =
      product ??
      ofCallForward(ordered, reader) ??
      ofRecordChanges(ordered, reader) ??
      ofRouteWords(ordered, this.#byId) ??
      ofRouteOrder(ordered, this.#byId) ??
      ofGroupOrder(ordered, this.#byId) ??
      ofBarePlural(ordered, this.#byId) ??
      ofSimsOf(ordered, this.#byId) ??
      ofUndoing(ordered) ??
      ofTraffic(ordered, reader);
    if (route) return route;
    const filters =
      ofOutgoing(ordered, reader) ??
      ofFilterSettings(ordered, reader) ??
      ofFilterQuestion(ordered, reader) ??
      ofEveryFilter(ordered);
    if (filters) return filters;
    const [person] = peopleIn(...clauses.map(({ words }) => words));
    if (saysWhoMay(facts, person)) return this.#only(trafficOf(facts.rest), asked);
    const outside = outsideOf(order);
    // A customer who is named is the one that the words to write name.
    if (outside !== undefined)
      return {
        ...this.#instead(asked, outside.replaceAll('for NAME', `for ${person ?? 'NAME'}`)),
        isOutside: true,
      };
    const read =
      (reportsDeed(order, clauses) ? reader.events(DEEDS, { ...asked, since: since ?? LAST_MONTH }) : undefined) ??
      ofOffered(ordered, reader) ??
      ofOtherQuestions(ordered, reader) ??
      ofLineFacts(ordered, reader) ??
      ofSupervision(ordered, reader) ??
      ofListing(ordered, reader) ??
      ofRuleOrOwn(ordered, reader);
    if (read) return read;
    if (blocksOthers(facts.rest)) return this.#only(trafficOf(facts.rest), asked);
    const events = this.#tool(eventOperations.since);
    if (events && asksForDeeds(order, clauses) && mayUse(events.id))
      return this.#events({ tool: events, family: DEEDS }, { ...asked, since: since ?? LAST_MONTH });
    if (asksIfSent(order)) return this.#read(undefined, asked);
    const changes = clauses.flatMap((clause) => this.#clauses.changesIn(clause, said, facts));
    const asks = changes.filter(({ clause, fit }) => !isRefused(clause.text, fit.asking) && !asksToTell(clause.text));
    // "Ben is leaving us, please cancel his number" says why, and asks for one thing.
    const polite = asks.filter(({ clause }) => isPolite(clause.text));
    const sure = polite.length > 0 ? polite : asks;
    // So does "the customer wants to leave, close 0106".
    const named = sure.filter(({ clause }) => !isWish(clause.text));
    // "Don't cancel it, she wants to come over after all": a wish behind a refusal is its reason.
    const isReason = named.length === 0 && changes.some(({ clause, fit }) => isRefused(clause.text, fit.asking));
    const parted = withoutParts(named.length > 0 ? named : isReason ? [] : sure);
    // "Alert 1 gb, cap at 2 gb": amounts of several levels are one order.
    const limits = areLevels(facts) ? parted.filter(({ fit }) => takesVolume(fit.tool)) : [];
    const wanted = limits.length > 0 ? limits : parted;
    if (!isBack && new Set(wanted.map(({ fit }) => fit.tool.id)).size > 1) {
      const parts = ordersIn(
        asked.plain ?? asked.said,
        (part) => this.#alone(part, mayUse, asked.zone),
        (id) => this.#tool(id),
      );
      if (parts?.joint) return parts.joint;
      const titles =
        parts?.titles ??
        wanted.map(({ fit }) => titleOf(fit.tool, { input: fit.family.given ?? {}, guide: fit.family.guide }));
      const why = `${several(titles)}${parts?.told ?? ''}`;
      const nearest = defined({ nearest: parts?.buttons });
      // The card of the only line that they are about has buttons for them.
      return facts.mentions.length === 1 ? { ...this.#instead(asked, why), ...nearest } : { ...help(why), ...nearest };
    }
    const [change] = wanted.length > 0 ? wanted : changes;
    const shown = change === undefined || asks.length === 0 ? this.#shownInstead(asked) : undefined;
    if (shown) return shown;
    if (change) return { ...this.#change(change.clause, change.fit, { ...asked, said: order }), clause: change.clause };
    const condition = clauses.some(beginsDeed) && !asksWhatWaits(said) ? conditionIn(said) : undefined;
    if (condition !== undefined) return this.#instead(asked, `Nothing is offered: ${onCondition(condition)}`);
    const all = facts.mentions.length === 0 ? everyoneIn(facts.rest) : undefined;
    const meant = clauses.flatMap(({ text, isAsked, fits }) => (isQuestion(text, isAsked) ? [] : fits.slice(0, 1)));
    const [many] = meant.filter(({ tool }) => tool.risk !== 'read' && fieldsOf(tool).some(takesNumbers));
    if (all !== undefined && many) return this.#needsEach(many.tool.title, all, asked);
    const records = ofWaiting(ordered, reader) ?? ofRecords(asked, reader);
    if (records) return records;
    const fit = readIn(clauses);
    if (fit === undefined && NO_NEED.test(said) && facts.message === undefined)
      return { ...this.#instead(asked, NOT_NEEDED), isFallback: true };
    const caller = ofCaller(asked, fit, this.#byId);
    if (caller && 'guided' in caller) return caller.guided;
    const found = withRemarks(this.#withNearest(this.#read(fit, { ...asked, ...caller }), fit, asked), asked);
    return fit === undefined && asked.since === undefined ? { ...found, isFallback: true } : found;
  }

  /** "Don't text her yet, show what we wrote": the read that the other parts ask for. Undefined if they ask for nothing. */
  #shownInstead(asked: Asked): GuidedAnswer | undefined {
    const forbidden = asked.clauses.filter(({ text }) => isForbidden(text));
    const others = asked.clauses.filter((clause) => !forbidden.includes(clause) && asksToSee(clause));
    if (forbidden.length === 0 || others.length === 0) return undefined;
    const read = readIn(others);
    if (!read && !asksWhatWasSent(others.map(({ text }) => text).join(', '))) return undefined;
    const guided = this.#read(read, asked);
    const told = forbidden.map(({ text }) => `“${text.trim()}”`).join(', ');
    const remarks = `; left out, as you say: ${told}`;
    return { ...guided, understood: `${guided.understood.replace(/\.$/, '')}${remarks}.`, remarks };
  }

  /** The answer once the number is known that its `find` looked for. */
  withNumber(guided: GuidedAnswer, number: string): GuidedAnswer {
    const tool = this.#tool(guided.operation ?? '');
    return tool ? withNumber(tool, guided, number) : guided;
  }

  /** A sentence that names a change: the change's form or question, unless it asks about it or against it. */
  #change(clause: Clause, fit: Fit, asked: Asked): GuidedAnswer {
    const { facts, said, clauses, mayUse } = asked;
    const { tool, family } = fit;
    const title = `"${titleIn(tool, family)}"`;
    const free = this.#tool('numbers_availability');
    if (isRefused(clause.text, fit.asking) && MAKES_NUMBER.has(tool.id) && facts.areaCode !== undefined && free)
      return this.#read({ ...fit, tool: free, family: FREE }, asked);
    if (isRefused(clause.text, fit.asking))
      return refusal(this.#instead(asked, `You said not to: ${title}${ENDED.test(said) ? STILL_WAITS : ''}`));
    if (asked.isBack || isRefusedLater(clause, fit, clauses))
      return refusal(this.#instead(asked, `Your message takes it back: ${title}. If you want it, write it again`));
    const condition = isDoubtful(facts.rest, clause.text, tool) ? conditionIn(said, fit.asking) : undefined;
    const onlyIf = condition === undefined ? undefined : `${title} is not offered: ${onCondition(condition)}`;
    if (onlyIf !== undefined && beginsCondition(said, clause.text, fit.asking)) return this.#instead(asked, onlyIf);
    const asksOf = defined({ asksOf: aboutChange(tool, family, said, (id) => this.#tool(id)) });
    if (asksForFacts(said, clause.text)) return { ...this.#instead(asked, `You asked about ${title}`), ...asksOf };
    if (isAboutIt(said, clause.text, clause.isAsked)) {
      if (facts.mentions.length === 0 && asksSomethingElse(said))
        return { ...help('What you ask was not understood. Nothing was done'), isUnread: true };
      const isGeneral =
        asksForCost(said) ||
        HAPPENS.test(said) ||
        IS_WISE.test(said) ||
        asksEffect(said) ||
        facts.mentions.length === 0;
      const [line] = facts.mentions;
      const about = `You asked about ${title}${wordsFor(tool, family, said, line?.text)}`;
      if (isGeneral) return this.#explained(asked, fit);
      return { ...this.#instead(asked, about), ...asksOf };
    }
    if (onlyIf !== undefined) return this.#instead(asked, onlyIf);
    if (isDoubtful(facts.rest, clause.text, tool) || takesFrom(clause.text, tool))
      return this.#instead(asked, `It is not clear whether you want it: ${title}`);
    if (!mayUse(tool.id)) return this.#instead(asked, `${title} is not available to you`);
    const list = FILTER_LISTS[tool.id];
    if (list && isOnly(tool.id, facts.rest)) return this.#only(list.traffic, asked);
    const everyone =
      facts.mentions.length === 0 && fieldsOf(tool).some(takesNumbers) ? everyoneIn(facts.rest) : undefined;
    if (everyone !== undefined && family.guide === undefined && !MAKES_NUMBER.has(tool.id))
      return this.#needsEach(titleIn(tool, family), everyone, asked);
    const [person] = peopleIn(clause.words, ...clauses.map((one) => one.words));
    if (person !== undefined && isPutOn(tool, said, person)) {
      const why = `What “${person}” is was not understood. Write “subscribe NUMBER to PACKAGE”, “give NUMBER to NAME” or “port out NUMBER”`;
      return this.#instead(asked, why);
    }
    return changeOffer({ clause, fit, asked }, this.#finder);
  }

  /** A set of lines by their state alone is shown, so that each can be named. Nothing is done to all of them. */
  #needsEach(title: string, all: string, asked: Asked): GuidedAnswer {
    const why = `"${title}" needs each number or name: “${all}” stands for none`;
    const { said, facts, clauses } = asked;
    const listed = ofBareList({ ...asked, said: linesOfState(said) ?? '' }, this.#reader());
    if (!listed) return this.#instead({ facts, clauses }, why);
    const lead = `${why}. Nothing was done.`;
    return { ...listed, isInstead: true, lead, understood: `${lead} ${listed.understood}` };
  }

  /** Makes the filter let no one else through: "Allow only …" and "block everyone but …". */
  #only(traffic: 'calls' | 'messages', asked: Asked): GuidedAnswer {
    const { facts, clauses, mayUse } = asked;
    const people = peopleIn(...clauses.map(({ words }) => words));
    const { operation, input: only } = onlyThese(traffic, facts, people[0]);
    const tool = this.#tool(operation);
    if (!tool || !mayUse(operation)) return this.#instead(asked, 'That needs another kind of filter');
    const rules = rulesIn(facts.rest, traffic)?.input;
    const input = withNamedFilter(tool, { ...only, ...rules }, facts, people[0]);
    if (
      asked.isBack ||
      clauses.some(({ text, isAsked }) => isRefused(text, []) || (isQuestion(text, isAsked) && !isPolite(text)))
    )
      return this.#instead(asked, `You asked about "${tool.title}"`);
    const times = clauses.flatMap((clause) => clause.times);
    const others = remarksOn(tool, { facts, times });
    const remarks = `; it lets only these numbers through and blocks everyone else${others}`;
    return { ...answer('form', { tool, input, understood: `${understood(tool, input)}${remarks}` }), remarks };
  }

  /**
   * The answer with the nearest operations, where the words were not understood. Of changes, only those are near that the
   * clause asks for, and that neither cost nor take anything away.
   */
  #withNearest(guided: GuidedAnswer, read: Fit | undefined, asked: Asked): GuidedAnswer {
    const nearest =
      read === undefined ? this.#nearest(asked).filter(({ operation }) => operation !== guided.operation) : [];
    const unread = read === undefined ? notUnderstood(guided, asked) : undefined;
    const told =
      unread === undefined ? guided : { ...guided, isInstead: true as const, understood: inPlaceOf(unread, guided) };
    return nearest.length === 0 ? told : { ...told, nearest };
  }

  /** The operations that may be meant by a text, filled in as far as it says. */
  nearest(text: string, mayUse: (id: string) => boolean = () => true): NonNullable<GuidedAnswer['nearest']> {
    // A mistyped command may say little: its words are searched for, too.
    return nearestTo(this.#asked(text, mayUse), { byId: this.#byId, lookup: this.#lookup }, this.#search.search(text));
  }

  #nearest(asked: Asked): NonNullable<GuidedAnswer['nearest']> {
    return nearestTo(asked, { byId: this.#byId, lookup: this.#lookup }, this.#search.asked(asked.said));
  }

  /** The events, an operation that reads, or the lookup of a number, a name or an id. */
  #read(fit: Fit | undefined, asked: Asked): GuidedAnswer {
    const { facts, said, clauses, since, mayUse } = asked;
    if (fit && !mayUse(fit.tool.id))
      return this.#instead({ facts, clauses }, `"${fit.tool.title}" is not available to you`);
    if (fit && fit.tool.id === eventOperations.since) return this.#events(fit, { said, facts, clauses, since });
    const events = this.#tool(eventOperations.since);
    const isPast = since?.isDay !== true || clauses.some(({ text, isAsked }) => isQuestion(text, isAsked));
    if (!fit && since !== undefined && isPast && events && facts.ids.length === 0)
      return this.#events({ tool: events }, { said, facts, clauses, since });
    const messages = this.#tool('message_search_get');
    const isRead = fit !== undefined && fit.tool === messages;
    const isSent = (!fit || isRead) && asksWhatWasSent(said);
    // The list of a line's messages takes no time.
    const isOfOne = facts.mentions.length > 0 || nameIn(facts, clauses) !== undefined;
    const isCame = isRead && (facts.days.length > 1 || (asksWhatCame(said) && !isOfOne));
    if (events && messages && (isSent || (isCame && since)) && facts.mentions.length < 2 && mayUse(events.id)) {
      const family = defined({ family: isCame && asksWhatCame(said) ? MESSAGES : undefined });
      const sent = this.#events({ tool: events, ...family }, { said, facts, clauses, since: since ?? LAST_MONTH });
      return {
        ...sent,
        nearest: [{ operation: messages.id, input: withMention(messages, filled(messages, facts), facts) }],
      };
    }
    if (!fit) return guessed(this.#finder.plainLookup(facts, clauses, true), asked);
    return readOf(fit, asked, this.#reader());
  }

  #events(
    { tool, family }: { tool: Tool; family?: Fit['family'] },
    asked: Pick<Asked, 'facts' | 'said' | 'clauses'> & { since: Since | undefined },
  ): GuidedAnswer {
    const find = asked.facts.numbers.length === 0 ? this.#finder.findAnyone(asked.facts, asked.clauses) : undefined;
    const { input, text, isFound } = historyOf(family, asked, find?.input);
    return answer('events', { tool, input, understood: text }, isFound ? find : undefined);
  }

  /** The effect and cost of a change, for a question about it, and how to request it. */
  #explained(asked: Asked, fit: Fit): GuidedAnswer {
    const { tool, family } = fit;
    const about = aboutChange(tool, family, asked.said, (id) => this.#tool(id));
    const [clause] = asked.clauses;
    const { input } = clause ? changeOffer({ clause, fit: { ...fit, family }, asked }, this.#finder) : { input: {} };
    const record = recordRead(tool, input, (id) => (asked.mayUse(id) ? this.#tool(id) : undefined));
    const title = `"${about?.title ?? tool.title}"${record ? `: “${record.name}”` : ''}`;
    const nearest = defined({ nearest: record && [{ operation: record.tool.id, input: record.input }] });
    return { ...this.#instead(asked, `You asked about ${title}`, tool), ...nearest, ...defined({ about }) };
  }

  /** The record that the sentence names, without doing what it asks about. */
  #instead({ facts, clauses }: Pick<Asked, 'facts' | 'clauses'>, why: string, tool?: Tool): GuidedAnswer {
    const text = `${why}. Nothing was done`;
    const port =
      facts.numbers[0] === undefined ? undefined : portCheck(facts, clauses, this.#tool('numbers_portin_eligibility'));
    if (port) return { ...help(text), nearest: [port] };
    const lookup = this.#finder.plainLookup(facts, clauses);
    if (tool || lookup.kind === 'help') return { ...help(text), operation: tool?.id };
    return { ...lookup, isInstead: true, lead: `${text}.`, understood: `${text}. ${lookup.understood}` };
  }

  #reader(): Reader {
    const tool = this.#tool(eventOperations.since);
    const events: Reader['events'] = (family, asked) =>
      tool && asked.mayUse(tool.id) ? this.#events({ tool, ...defined({ family }) }, asked) : undefined;
    return { tools: this.#options.tools, byId: this.#byId, finder: this.#finder, lookup: this.#lookup, events };
  }

  #tool(id: string): Tool | undefined {
    return this.#byId.get(id);
  }
}
