import { ApiError, badField, badReference, notFound } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { Package, PackageItem, Product } from '../records.ts';
import { newId, sameId } from '../store.ts';
import { accountGiven, get, post, queryText, type Request, subscriberGiven } from '../world.ts';

const AGGREGATOR = 'AGID-00000000-0000-4000-8000-000000000001';
const PRODUCT_PREFIXES = ['PRID', 'PID'];
const PACKAGE_PREFIXES = ['PKID', 'PID'];
const NUMBER_PREFIXES = ['NID', 'TNID'];

function productOf(request: Request, id: string): Product | undefined {
  return request.store.state.products.find(
    (row) => row.DistributorId === request.distributor && sameId(id, row.ProductId, PRODUCT_PREFIXES),
  );
}

function packageOf(request: Request, id: string): Package | undefined {
  return request.store.state.packages.find(
    (row) => row.DistributorId === request.distributor && sameId(id, row.PackageId, PACKAGE_PREFIXES),
  );
}

/** `MRC`, `NRC` or usage-based (PLATFORM.md, Product). */
function billingFrequency(body: Fields): string {
  const text = body.text('BillingFrequency');
  const known = ['MRC', 'NRC'].find((name) => name === text.toUpperCase());
  if (known === undefined && !/^usage/i.test(text))
    throw body.wrong('BillingFrequency', 'must be MRC, NRC or usage-based');
  return known ?? text;
}

function createProduct(request: Request) {
  const { body, distributor } = request;
  const product: Product = {
    ProductId: newId('PRID'),
    DistributorId: distributor,
    SKU: body.text('SKU'),
    Description: body.text('Description'),
    Type: body.text('Type'),
    SubType: body.optionalText('SubType'),
    Cost: body.amount('Cost'),
    BillingFrequency: billingFrequency(body),
    Active: true,
  };
  request.store.state.products.push(product);
  return { ...product, AggregatorId: AGGREGATOR };
}

/** A product in an active package cannot be deleted (PLATFORM.md, Product). */
function deleteProduct(request: Request) {
  const { body, store } = request;
  const id = body.text('ProductId');
  const product = productOf(request, id);
  if (product === undefined) throw notFound(`Product ${id}`);
  const holder = store.state.packages.find(
    (row) => row.Active && row.PackageItems.some((item) => item.ProductId === product.ProductId),
  );
  if (holder !== undefined)
    throw new ApiError(
      400,
      `ProductId ${id} belongs to the active package ${holder.PackageId}: remove it from all packages first`,
    );
  store.state.products = store.state.products.filter((row) => row !== product);
  return { ProductId: id, ProductStatus: 'Deleted' };
}

function packageItem(request: Request, body: Fields): PackageItem {
  const id = body.text('ProductId');
  const price = body.optionalPrice('Price');
  const monthly = body.optionalFlag('Monthly');
  const type = body.optionalText('Type');
  const product = productOf(request, id);
  if (product === undefined) throw badReference(body.label('ProductId'));
  return {
    PackageItemId: newId('PIID'),
    ProductId: product.ProductId,
    Price: price ?? product.Cost,
    Monthly: monthly ?? false,
    Type: type,
    Active: true,
  };
}

/** The create response shows a PID- id (PLATFORM.md, Identifiers). */
function createPackage(request: Request) {
  const { body, distributor } = request;
  const row: Package = {
    PackageId: newId('PID'),
    DistributorId: distributor,
    PackageName: body.text('PackageName'),
    Description: body.optionalText('Description'),
    Type: body.text('Type'),
    Price: body.amount('Price'),
    Monthly: body.flag('Monthly'),
    Active: true,
    PackageItems: body.rows('PackageItems').map((item) => packageItem(request, item)),
    SubscriberId: subscriberGiven(request, 'SubscriberId')?.SubscriberId ?? null,
  };
  request.store.state.packages.push(row);
  return { ...row, AggregatorId: AGGREGATOR };
}

function packageActedOn(request: Request): Package {
  const id = request.body.text('PackageId');
  const found = packageOf(request, id);
  if (found === undefined) throw notFound(`Package ${id}`);
  return found;
}

function addItem(request: Request) {
  request.body.text('ProductId');
  const row = packageActedOn(request);
  const item = packageItem(request, request.body);
  row.PackageItems.push(item);
  return { ...item, PackageId: row.PackageId };
}

function deleteItem(request: Request) {
  const id = request.body.text('PackageItemId');
  const row = packageActedOn(request);
  if (!row.PackageItems.some((item) => item.PackageItemId === id)) throw notFound(`Package item ${id}`);
  row.PackageItems = row.PackageItems.filter((item) => item.PackageItemId !== id);
  return { PackageItemId: id, PackageId: row.PackageId, PackageItemStatus: 'Deleted' };
}

function getPackage(request: Request) {
  const id = queryText(request, 'PackageId');
  if (id === null) throw badField('PackageId', 'required');
  const found = packageOf(request, id);
  if (found === undefined) throw notFound(`Package ${id}`);
  const { PackageItems: _, ...shown } = found;
  return { ...shown, AggregatorId: AGGREGATOR };
}

/** The subscriptions of every account of the distributor. */
function listSubscriptions(request: Request) {
  const { store, distributor } = request;
  const filter = queryText(request, 'Filter') ?? 'All';
  const rows = store.state.subscriptions.filter(
    (row) =>
      store.subscriber(distributor, row.SubscriberId) !== undefined &&
      (/^all$/i.test(filter) || row.Active === /^active$/i.test(filter)),
  );
  return {
    AccountId: store.defaultAccount(distributor).AccountId,
    TotalSubscriptions: rows.length,
    Filter: filter,
    Results: rows.map((row) => ({ ...row })),
  };
}

/** Type must match the kind of number; one subscription per number (PLATFORM.md, Subscription). */
function createSubscription(request: Request) {
  const { body, store, distributor } = request;
  body.text('SubscriberId');
  const tnid = body.text('TNID');
  const packageId = body.text('PackageId');
  const type = body.choice('Type', ['Voip', 'Mvno', 'Iot']);
  const iccid = body.optionalIccid('ICCID');
  const subscriber = subscriberGiven(request, 'SubscriberId');
  const number = store.state.numbers.find(
    (row) => store.owns(distributor, row) && sameId(tnid, row.PhoneNumberId, NUMBER_PREFIXES),
  );
  if (number === undefined || subscriber === null) throw badReference('TNID');
  const found = packageOf(request, packageId);
  if (found === undefined) throw badReference('PackageId');
  if (subscriber.AccountId !== number.AccountId) throw badReference('SubscriberId');
  if (type.toLowerCase() !== number.NumberType)
    throw body.wrong('Type', `must match the kind of number: ${number.Number} is ${number.NumberType}`);
  if (store.state.subscriptions.some((row) => row.Active && row.TNID === number.PhoneNumberId))
    throw body.wrong('TNID', `${tnid} has a subscription already: one subscription exists per number`);
  const subscription = {
    SubscriptionId: newId('SUB'),
    SubscriberId: subscriber.SubscriberId,
    TNID: number.PhoneNumberId,
    ICCID: iccid ?? number.Iccid,
    PackageId: found.PackageId,
    Type: type,
    Active: true,
  };
  store.state.subscriptions.push(subscription);
  return subscription;
}

function getFeature(request: Request) {
  const id = queryText(request, 'FeatureId');
  if (id === null) throw badField('FeatureId', 'required');
  const feature = request.store.state.features.find(
    (row) => row.FeatureId === id && request.store.owns(request.distributor, row),
  );
  if (feature === undefined) throw notFound(`Feature ${id}`);
  return { ...feature };
}

function addFeature(request: Request) {
  const { body, store } = request;
  const name = body.text('FeatureName');
  const feature = {
    FeatureId: newId('FEID'),
    AccountId: (accountGiven(request) ?? store.defaultAccount(request.distributor)).AccountId,
    FeatureName: name,
    FeatureType: body.optionalText('FeatureType'),
    FeatureDescription: body.optionalText('FeatureDescription'),
    Active: true,
  };
  store.state.features.push(feature);
  return feature;
}

function assignFeature(request: Request) {
  const { body, store, distributor } = request;
  const featureId = body.text('FeatureId');
  const subscriptionId = body.text('SubscriptionId');
  const feature = store.state.features.find((row) => row.FeatureId === featureId && store.owns(distributor, row));
  if (feature === undefined) throw badReference('FeatureId');
  const subscription = store.state.subscriptions.find(
    (row) => row.SubscriptionId === subscriptionId && store.subscriber(distributor, row.SubscriberId) !== undefined,
  );
  if (subscription === undefined) throw badReference('SubscriptionId');
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
  return assignment;
}

export const productRoutes = [
  post('/v1.0/products', createProduct),
  post('/v1.0/products/delete', deleteProduct),
  post('/v1.0/packages', createPackage),
  get('/v1.0/packages', getPackage),
  get('/v1.0/account/subscriptions', listSubscriptions),
  post('/v1.0/packages/items/add', addItem),
  post('/v1.0/packages/items/delete', deleteItem),
  post('/v1.0/subscriptions', createSubscription),
  get('/v1.0/subscriptions/features', getFeature),
  post('/v1.0/subscriptions/features/add', addFeature),
  post('/v1.0/subscriptions/features/assignments/add', assignFeature),
];
