import { badField, badReference, notFound } from '../errors.ts';
import type { Feature, NumberRecord, Subscription } from '../records.ts';
import { newId, sameId } from '../store.ts';
import { accountGiven, get, post, queryText, type Request, subscriberGiven } from '../world.ts';
import { byFilter, packageOf } from './products.ts';

const NUMBER_PREFIXES = ['NID', 'TNID'];
const TYPES = ['Voip', 'Mvno', 'Iot'];

function subscriptionOf(request: Request, id: string): Subscription | undefined {
  const { store, distributor } = request;
  return store.state.subscriptions.find(
    (row) => row.SubscriptionId === id && store.subscriber(distributor, row.SubscriberId) !== undefined,
  );
}

function numberOf({ store, distributor }: Request, id: string): NumberRecord | undefined {
  return store.state.numbers.find(
    (row) => store.owns(distributor, row) && sameId(id, row.PhoneNumberId, NUMBER_PREFIXES),
  );
}

/** Lists the subscriptions of every account of the distributor. */
function listSubscriptions(request: Request) {
  const { store, distributor } = request;
  const own = store.state.subscriptions.filter((row) => store.subscriber(distributor, row.SubscriberId) !== undefined);
  const { filter, rows } = byFilter(request, own);
  return {
    AccountId: store.defaultAccount(distributor).AccountId,
    TotalSubscriptions: rows.length,
    Filter: filter,
    Results: rows.map((row) => ({ ...row })),
  };
}

function getSubscription(request: Request) {
  const id = queryText(request, 'SubscriptionId');
  if (id === null) throw badField('SubscriptionId', 'required');
  const found = subscriptionOf(request, id);
  if (found === undefined) throw notFound(`Subscription ${id}`);
  return { ...found };
}

/** Throws unless subscriber, number and type fit: one subscription per number (PLATFORM.md, Subscription). */
function requireFitting(request: Request, number: NumberRecord, given: Omit<Subscription, 'PackageId' | 'Active'>) {
  const { body, store, distributor } = request;
  const subscriber = store.subscriber(distributor, given.SubscriberId);
  if (subscriber?.AccountId !== number.AccountId) throw badReference('SubscriberId');
  if (given.Type.toLowerCase() !== number.NumberType)
    throw body.wrong('Type', `must match the kind of number: ${number.Number} is ${number.NumberType}`);
  const other = store.state.subscriptions.find((row) => row.Active && row.TNID === number.PhoneNumberId);
  if (other !== undefined && other.SubscriptionId !== given.SubscriptionId)
    throw body.wrong('TNID', `${given.TNID} has a subscription already: one subscription exists per number`);
}

function createSubscription(request: Request) {
  const { body, store } = request;
  body.text('SubscriberId');
  const tnid = body.text('TNID');
  const packageId = body.text('PackageId');
  const type = body.choice('Type', TYPES);
  const iccid = body.optionalIccid('ICCID');
  const subscriber = subscriberGiven(request, 'SubscriberId');
  const number = numberOf(request, tnid);
  if (number === undefined || subscriber === null) throw badReference('TNID');
  const found = packageOf(request, packageId);
  if (found === undefined) throw badReference('PackageId');
  const subscription: Subscription = {
    SubscriptionId: newId('SUB'),
    SubscriberId: subscriber.SubscriberId,
    TNID: number.PhoneNumberId,
    ICCID: iccid ?? number.Iccid,
    PackageId: found.PackageId,
    Type: type,
    Active: true,
  };
  requireFitting(request, number, { ...subscription, TNID: tnid });
  store.state.subscriptions.push(subscription);
  return { ...subscription };
}

/** Fields left out keep their values, and null empties ICCID (PLATFORM.md, Subscription). */
function updateSubscription(request: Request) {
  const { body } = request;
  const id = body.text('SubscriptionId');
  const tnid = body.filledText('TNID');
  const packageId = body.filledText('PackageId');
  const type = body.optionalChoice('Type', TYPES);
  const iccid = body.optionalIccid('ICCID');
  const row = subscriptionOf(request, id);
  if (row === undefined) throw notFound(`Subscription ${id}`);
  const subscriber = subscriberGiven(request, 'SubscriberId');
  const number = numberOf(request, tnid ?? row.TNID);
  if (number === undefined) throw badReference('TNID');
  const found = packageId === null ? undefined : packageOf(request, packageId);
  if (packageId !== null && found === undefined) throw badReference('PackageId');
  const next: Subscription = {
    ...row,
    SubscriberId: subscriber?.SubscriberId ?? row.SubscriberId,
    TNID: number.PhoneNumberId,
    ICCID: iccid ?? (body.has('ICCID') ? null : tnid === null ? row.ICCID : number.Iccid),
    PackageId: found?.PackageId ?? row.PackageId,
    Type: type ?? row.Type,
  };
  requireFitting(request, number, next);
  Object.assign(row, next);
  return { ...row };
}

/** Deletes a subscription permanently, with its feature assignments. The subscriber and the number stay. */
function deleteSubscription(request: Request) {
  const { store } = request;
  const id = request.body.text('SubscriptionId');
  const row = subscriptionOf(request, id);
  if (row === undefined) throw notFound(`Subscription ${id}`);
  store.state.subscriptions = store.state.subscriptions.filter((other) => other !== row);
  store.state.featureAssignments = store.state.featureAssignments.filter((other) => other.SubscriptionId !== id);
  return { SubscriptionId: id, SubscriptionStatus: 'Deleted' };
}

function featureOf(request: Request, id: string): Feature | undefined {
  return request.store.state.features.find(
    (row) => row.FeatureId === id && request.store.owns(request.distributor, row),
  );
}

function featureAsked(request: Request): Feature {
  const id = queryText(request, 'FeatureId');
  if (id === null) throw badField('FeatureId', 'required');
  const feature = featureOf(request, id);
  if (feature === undefined) throw notFound(`Feature ${id}`);
  return feature;
}

function getFeature(request: Request) {
  return { ...featureAsked(request) };
}

function addFeature(request: Request) {
  const { body, store } = request;
  const name = body.text('FeatureName');
  const feature: Feature = {
    FeatureId: newId('FEID'),
    AccountId: (accountGiven(request) ?? store.defaultAccount(request.distributor)).AccountId,
    FeatureName: name,
    FeatureType: body.optionalText('FeatureType'),
    FeatureDescription: body.optionalText('FeatureDescription'),
    Active: true,
  };
  store.state.features.push(feature);
  return { ...feature };
}

/** Deletes a feature and its assignments (PLATFORM.md, Feature). */
function deleteFeature(request: Request) {
  const { store } = request;
  const id = request.body.text('FeatureId');
  const feature = featureOf(request, id);
  if (feature === undefined) throw notFound(`Feature ${id}`);
  store.state.features = store.state.features.filter((row) => row !== feature);
  store.state.featureAssignments = store.state.featureAssignments.filter((row) => row.FeatureId !== id);
  return { FeatureId: id, FeatureStatus: 'Deleted' };
}

function assignFeature(request: Request) {
  const { body, store } = request;
  const featureId = body.text('FeatureId');
  const subscriptionId = body.text('SubscriptionId');
  if (featureOf(request, featureId) === undefined) throw badReference('FeatureId');
  if (subscriptionOf(request, subscriptionId) === undefined) throw badReference('SubscriptionId');
  if (
    store.state.featureAssignments.some((row) => row.FeatureId === featureId && row.SubscriptionId === subscriptionId)
  )
    throw body.wrong('FeatureId', `${featureId} is assigned to ${subscriptionId} already`);
  const assignment = {
    FeatureAssignmentId: newId('FAID'),
    FeatureId: featureId,
    SubscriptionId: subscriptionId,
    Active: true,
  };
  store.state.featureAssignments.push(assignment);
  return { ...assignment };
}

/** Returns a bare array (PLATFORM.md, Feature). */
function listAssignments(request: Request) {
  const { FeatureId } = featureAsked(request);
  return request.store.state.featureAssignments.filter((row) => row.FeatureId === FeatureId).map((row) => ({ ...row }));
}

function deleteAssignment(request: Request) {
  const { store } = request;
  const id = request.body.text('FeatureAssignmentId');
  const row = store.state.featureAssignments.find(
    (one) => one.FeatureAssignmentId === id && featureOf(request, one.FeatureId) !== undefined,
  );
  if (row === undefined) throw notFound(`Feature assignment ${id}`);
  store.state.featureAssignments = store.state.featureAssignments.filter((other) => other !== row);
  return { FeatureAssignmentId: id, FeatureAssignmentStatus: 'Deleted' };
}

export const subscriptionRoutes = [
  get('/v1.0/account/subscriptions', listSubscriptions),
  post('/v1.0/subscriptions', createSubscription),
  get('/v1.0/subscriptions', getSubscription),
  post('/v1.0/subscriptions/update', updateSubscription),
  post('/v1.0/subscriptions/delete', deleteSubscription),
  get('/v1.0/subscriptions/features', getFeature),
  post('/v1.0/subscriptions/features/add', addFeature),
  post('/v1.0/subscriptions/features/delete', deleteFeature),
  post('/v1.0/subscriptions/features/assignments/add', assignFeature),
  get('/v1.0/subscriptions/features/assignments', listAssignments),
  post('/v1.0/subscriptions/features/assignments/delete', deleteAssignment),
];
