import { ApiError, badField, badReference, notFound } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { Package, PackageItem, Product } from '../records.ts';
import { newId, sameId } from '../store.ts';
import { get, post, queryText, type Request, subscriberGiven } from '../world.ts';

const AGGREGATOR = 'AGID-00000000-0000-4000-8000-000000000001';
const PRODUCT_PREFIXES = ['PRID', 'PID'];
const PACKAGE_PREFIXES = ['PKID', 'PID'];

function productOf(request: Request, id: string): Product | undefined {
  return request.store.state.products.find(
    (row) => row.DistributorId === request.distributor && sameId(id, row.ProductId, PRODUCT_PREFIXES),
  );
}

export function packageOf(request: Request, id: string): Package | undefined {
  return request.store.state.packages.find(
    (row) => row.DistributorId === request.distributor && sameId(id, row.PackageId, PACKAGE_PREFIXES),
  );
}

/** Reads a billing frequency: `MRC`, `NRC` or usage-based (PLATFORM.md, Product). */
function billingFrequency(body: Fields): string {
  const text = body.text('BillingFrequency');
  const known = ['MRC', 'NRC'].find((name) => name === text.toUpperCase());
  if (known === undefined && !/^usage/i.test(text))
    throw body.wrong('BillingFrequency', 'must be MRC, NRC or usage-based');
  return known ?? text;
}

/** Filters rows by the `Filter` of an account's list: Active, Inactive or All (PLATFORM.md, Account). */
export function byFilter<R extends { Active: boolean }>(request: Request, all: readonly R[]) {
  const filter = queryText(request, 'Filter') ?? 'All';
  if (!/^(active|inactive|all)$/i.test(filter)) throw badField('Filter', 'must be Active, Inactive or All');
  const rows = all.filter((row) => /^all$/i.test(filter) || row.Active === /^active$/i.test(filter));
  return { filter, rows };
}

function productView(product: Product) {
  return { ...product, AggregatorId: AGGREGATOR };
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
  return productView(product);
}

function productNamed(request: Request, id: string): Product {
  const product = productOf(request, id);
  if (product === undefined) throw notFound(`Product ${id}`);
  return product;
}

function getProduct(request: Request) {
  const id = queryText(request, 'ProductId');
  if (id === null) throw badField('ProductId', 'required');
  return productView(productNamed(request, id));
}

function listProducts(request: Request) {
  const { store, distributor } = request;
  const { filter, rows } = byFilter(
    request,
    store.state.products.filter((row) => row.DistributorId === distributor),
  );
  return { DistributorId: distributor, TotalProducts: rows.length, Filter: filter, Results: rows.map(productView) };
}

/** Fields left out keep their values (PLATFORM.md, Product). */
function updateProduct(request: Request) {
  const { body } = request;
  const id = body.text('ProductId');
  const changes = {
    SKU: body.filledText('SKU'),
    Description: body.filledText('Description'),
    Type: body.filledText('Type'),
    SubType: body.filledText('SubType'),
    Cost: body.optionalAmount('Cost'),
    BillingFrequency: body.given('BillingFrequency') ? billingFrequency(body) : null,
  };
  return productView(Object.assign(productNamed(request, id), given(changes)));
}

/** Returns the members that are not null, which are the fields that an update sent. */
function given<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** A product in an active package cannot be deleted (PLATFORM.md, Product). */
function deleteProduct(request: Request) {
  const { body, store } = request;
  const id = body.text('ProductId');
  const product = productNamed(request, id);
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

/** Fields left out keep their values; items are not changed here (PLATFORM.md, Package). */
function updatePackage(request: Request) {
  const { body } = request;
  body.text('PackageId');
  const changes = {
    PackageName: body.filledText('PackageName'),
    Description: body.optionalText('Description'),
    Type: body.filledText('Type'),
    Price: body.optionalAmount('Price'),
    Monthly: body.optionalFlag('Monthly'),
    SubscriberId: subscriberGiven(request, 'SubscriberId')?.SubscriberId ?? null,
  };
  // Null empties a description (PLATFORM.md, Package).
  const emptied = body.has('Description') ? { Description: changes.Description } : {};
  return packageView(Object.assign(packageActedOn(request), given(changes), emptied));
}

/** A package cannot be deleted while active subscriptions use it (PLATFORM.md, Package). */
function deletePackage(request: Request) {
  const { store } = request;
  const id = request.body.text('PackageId');
  const row = packageActedOn(request);
  const on = store.state.subscriptions.filter((one) => one.Active && one.PackageId === row.PackageId).length;
  if (on > 0) throw new ApiError(400, `PackageId ${id} has active subscriptions (${on}): delete each of them first`);
  store.state.packages = store.state.packages.filter((one) => one !== row);
  return { PackageId: id, PackageStatus: 'Deleted' };
}

function itemView(row: Package, item: PackageItem) {
  return { ...item, PackageId: row.PackageId, AggregatorId: AGGREGATOR, DistributorId: row.DistributorId };
}

/** Returns a bare array (PLATFORM.md, Package). */
function listItems(request: Request) {
  const row = packageAsked(request);
  return row.PackageItems.map((item) => itemView(row, item));
}

function updateItem(request: Request) {
  const { body } = request;
  const id = body.text('PackageItemId');
  const changes = {
    Price: body.optionalPrice('Price'),
    Monthly: body.optionalFlag('Monthly'),
    Type: body.filledText('Type'),
  };
  const row = packageActedOn(request);
  const item = row.PackageItems.find((one) => one.PackageItemId === id);
  if (item === undefined) throw notFound(`Package item ${id}`);
  return itemView(row, Object.assign(item, given(changes)));
}

function packageAsked(request: Request): Package {
  const id = queryText(request, 'PackageId');
  if (id === null) throw badField('PackageId', 'required');
  const found = packageOf(request, id);
  if (found === undefined) throw notFound(`Package ${id}`);
  return found;
}

/** Returns the record as the platform does. The items are read by a separate request. */
function packageView({ PackageItems: _, ...shown }: Package) {
  return { ...shown, AggregatorId: AGGREGATOR };
}

function getPackage(request: Request) {
  return packageView(packageAsked(request));
}

function listPackages(request: Request) {
  const { store, distributor } = request;
  const { filter, rows } = byFilter(
    request,
    store.state.packages.filter((row) => row.DistributorId === distributor),
  );
  return { DistributorId: distributor, TotalPackages: rows.length, Filter: filter, Results: rows.map(packageView) };
}

export const productRoutes = [
  post('/v1.0/products', createProduct),
  get('/v1.0/products', getProduct),
  post('/v1.0/products/update', updateProduct),
  post('/v1.0/products/delete', deleteProduct),
  get('/v1.0/account/products', listProducts),
  post('/v1.0/packages', createPackage),
  get('/v1.0/packages', getPackage),
  post('/v1.0/packages/update', updatePackage),
  post('/v1.0/packages/delete', deletePackage),
  get('/v1.0/account/packages', listPackages),
  get('/v1.0/packages/items', listItems),
  post('/v1.0/packages/items/add', addItem),
  post('/v1.0/packages/items/update', updateItem),
  post('/v1.0/packages/items/delete', deleteItem),
];
