import { DAY, MINUTE } from './clock.ts';
import {
  type Distributor,
  type NumberKind,
  type NumberRecord,
  type NumberStatus,
  type Order,
  STATUS,
  type State,
} from './records.ts';

/** The two distributors of the contract; the second sees none of the first one's records. */
export const DISTRIBUTORS: readonly [Distributor, ...Distributor[]] = [
  { key: 'DID-sandbox', secret: 'sandbox-secret' },
  { key: 'DID-other', secret: 'other-secret' },
];

/** Returns `PREFIX-00000000-0000-4000-8000-00000000000N`. */
function seedId(prefix: string, n: number): string {
  return `${prefix}-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** The default data limit in MB. */
const DEFAULT_LIMIT_MB = 20;

/** Number of swaps until the reset date, which is a quarter ahead. */
const SWAPS = 2;

/** Returns the record of a new number with its initial values. The seed, provision and port-in use it. */
export function numberRecord(
  now: number,
  given: Pick<NumberRecord, 'Number' | 'PhoneNumberId' | 'AccountId' | 'OrderId' | 'NumberType' | 'ProductType'> &
    Partial<NumberRecord>,
): NumberRecord {
  return {
    Status: STATUS.active,
    MessageType: given.NumberType === 'iot' ? 'p2p' : 'a2p',
    MessageEnabled: true,
    VoiceEnabled: false,
    DataEnabled: given.NumberType !== 'voip',
    MessageRouteId: null,
    VoiceRouteId: null,
    AssignedSubscriberId: null,
    Iccid: null,
    CnamFirstName: null,
    CnamLastName: null,
    OriginalDatePurchased: new Date(now).toISOString(),
    SwapsRemaining: SWAPS,
    NextSwapResetDate: new Date(now + 90 * DAY).toISOString(),
    PortOutPin: null,
    CancelledOn: null,
    DataUsage: {
      ValueUnit: 'MB',
      NotifyValue: null,
      ThrottleValue: null,
      ThrottleSpeed: null,
      LimitValue: DEFAULT_LIMIT_MB,
      UsedMb: 0,
    },
    ...given,
  };
}

interface SeedLine {
  kind: NumberKind;
  account?: number;
  status?: NumberStatus;
  cancelledDays?: number;
  orphan?: boolean;
  used?: number;
}

const LINES: readonly SeedLine[] = [
  { kind: 'mvno', used: 12.5 },
  { kind: 'voip', account: 2 },
  { kind: 'mvno', used: 3 },
  { kind: 'voip' },
  { kind: 'mvno', used: 19.75 },
  { kind: 'iot', used: 0.5 },
  { kind: 'mvno', status: STATUS.pendingDelete, cancelledDays: 3 },
  { kind: 'mvno', status: STATUS.pendingDelete, cancelledDays: 29 },
  { kind: 'mvno', status: STATUS.cancelled, cancelledDays: 45 },
  { kind: 'mvno', orphan: true },
];

function seedNumber(now: number, line: SeedLine, n: number): NumberRecord {
  const purchased = now - 400 * DAY;
  const base = numberRecord(purchased, {
    Number: `+120155501${String(n).padStart(2, '0')}`,
    PhoneNumberId: seedId('NID', n),
    AccountId: seedId('AID', line.account ?? 1),
    OrderId: seedId('JNUOID', 100 + n),
    NumberType: line.kind,
    ProductType: line.kind === 'iot' ? 'sms+data' : line.kind === 'voip' ? 'sms-only' : 'sms+data+voice',
    VoiceEnabled: line.kind !== 'iot',
    MessageRouteId: seedId('MRID', 1),
    VoiceRouteId: line.kind === 'iot' ? null : seedId('CRID', 1),
    // A released number has no subscriber.
    AssignedSubscriberId: line.orphan || line.status === STATUS.cancelled ? null : seedId('TSUID', line.account ?? 1),
    Iccid: line.kind === 'voip' ? null : `890124039719000${String(1000 + n)}0`,
    CnamFirstName: 'Sample',
    CnamLastName: `Line ${n}`,
    NextSwapResetDate: new Date(now + 30 * DAY).toISOString(),
    PortOutPin: String(4100 + 37 * n),
    Status: line.status ?? STATUS.active,
    CancelledOn: line.cancelledDays === undefined ? null : new Date(now - line.cancelledDays * DAY).toISOString(),
  });
  return { ...base, DataUsage: { ...base.DataUsage, UsedMb: line.used ?? 0 } };
}

function seedOrders(now: number, numbers: readonly NumberRecord[]): Order[] {
  const provisions = numbers.map(
    (number): Order => ({
      OrderId: number.OrderId,
      AccountId: number.AccountId,
      OrderType: 'provision',
      OrderDate: number.OriginalDatePurchased,
      OrderStatus: 'Complete',
      ErrorMessage: '',
      Numbers: [number.Number],
      PortIn: null,
    }),
  );
  const portIn: Order = {
    OrderId: seedId('JNUOID', 1),
    AccountId: seedId('AID', 1),
    OrderType: 'portin',
    OrderDate: new Date(now - 30 * MINUTE).toISOString(),
    OrderStatus: 'Submitted',
    ErrorMessage: '',
    Numbers: ['+13125550111'],
    PortIn: {
      CurrentCarrierName: 'Lakeside Wireless',
      CurrentAccountNumber: '46512345',
      CurrentAccountPasswordHash: '',
      CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
      SubscriberName: 'Ava Stone',
      TargetPortinClassification: 'mvno',
      PortInDate: null,
      ICCID: null,
      AssignedSubscriberId: seedId('TSUID', 1),
      Wireline: false,
      RejectDueAt: null,
    },
  };
  return [portIn, ...provisions];
}

function seedAccounts(): State['accounts'] {
  const row = (n: number, distributor: string, name: string): State['accounts'][number] => ({
    AccountId: seedId('AID', n),
    DistributorId: distributor,
    AccountName: name,
    AccountAdmin: `admin${n}@example.com`,
    BillingAddress: { Street1: '1 Main St', Street2: null, City: 'Heber', State: 'Utah', Zip: '84032', Country: 'USA' },
    MailingAddress: null,
  });
  return [
    row(1, 'DID-sandbox', 'Acme Mobile'),
    row(2, 'DID-sandbox', 'Globex Family'),
    row(9, 'DID-other', 'Other Telecom'),
  ];
}

/** Returns the fixed seed, dated from the given start of the clock. */
export function seed(now: number): State {
  const numbers = LINES.map((line, index) => seedNumber(now, line, index + 1));
  const subscriber = (n: number, name: string, email: string): State['subscribers'][number] => ({
    SubscriberId: seedId('TSUID', n),
    AccountId: seedId('AID', n),
    Name: name,
    Email: email,
    Role: 'Subscriber',
    EnableIntelligentGuardianCalls: false,
    EnableIntelligentGuardianMessages: false,
  });
  const product = (n: number, sku: string, description: string, type: string): State['products'][number] => ({
    ProductId: seedId('PRID', n),
    DistributorId: 'DID-sandbox',
    SKU: sku,
    Description: description,
    Type: type,
    SubType: type,
    Cost: 4.5 * n,
    BillingFrequency: 'MRC',
    Active: true,
  });
  return {
    accounts: seedAccounts(),
    subscribers: [subscriber(1, 'Ava Stone', 'ava@acme.example'), subscriber(2, 'Ben Reed', 'ben@globex.example')],
    numbers,
    orders: seedOrders(now, numbers),
    cancelOrders: [],
    uncheckedNumbers: [],
    messages: [],
    messageRoutes: [seedMessageRoute()],
    voiceRoutes: [seedVoiceRoute()],
    webhooks: [],
    products: [product(1, 'ESIM-01', 'eSIM profile', 'esim'), product(2, 'DATA-05', '5 GB of data', 'data')],
    packages: [
      {
        PackageId: seedId('PKID', 1),
        DistributorId: 'DID-sandbox',
        SubscriberId: null,
        PackageName: 'Starter',
        Description: 'Starter line',
        Type: 'esim',
        Price: 15,
        Monthly: true,
        Active: true,
        PackageItems: [
          {
            PackageItemId: seedId('PIID', 1),
            ProductId: seedId('PRID', 1),
            Price: 4.5,
            Monthly: true,
            Type: 'esim',
            Active: true,
          },
        ],
      },
    ],
    subscriptions: [
      {
        SubscriptionId: seedId('SUB', 1),
        SubscriberId: seedId('TSUID', 1),
        TNID: seedId('NID', 5),
        ICCID: numbers[4]?.Iccid ?? null,
        PackageId: seedId('PKID', 1),
        Type: 'Mvno',
        Active: true,
      },
    ],
    features: [
      {
        FeatureId: seedId('FEID', 1),
        AccountId: seedId('AID', 1),
        FeatureName: 'International Roaming',
        FeatureType: 'Roaming',
        FeatureDescription: 'Data and voice while roaming internationally.',
        Active: true,
      },
    ],
    featureAssignments: [],
    callFilters: [],
    messageFilters: [],
    workgroups: [seedWorkgroup()],
    fees: [],
    calls: [],
    pendingDeliveries: [],
    deliveries: [],
    settings: { tokenSeconds: 3600, requestsPerMinute: 120 },
  };
}

function seedMessageRoute(): State['messageRoutes'][number] {
  return {
    MessageRouteId: seedId('MRID', 1),
    AccountId: seedId('AID', 1),
    fields: {
      RouteName: 'Main SMS route',
      MessageUrl: 'https://example.invalid/messages',
      MessageUrlMethod: 'POST',
      MessageRouteEnabled: true,
      MessageAuthenticationType: 'None',
      MessageUsername: null,
      MessagePasswordToken: null,
      CallbackMessageUrl: null,
      CallbackMessageUrlMethod: 'POST',
      CallbackMessageAuthenticationType: 'None',
      CallbackMessageUsername: null,
      CallbackMessagePasswordToken: null,
      InboundBypass: false,
      OutboundBypass: false,
      IntelligentRouteEnabled: true,
    },
  };
}

function seedVoiceRoute(): State['voiceRoutes'][number] {
  return {
    CallRouteId: seedId('CRID', 1),
    AccountId: seedId('AID', 1),
    fields: {
      RouteName: 'Main SIP trunk',
      RouteType: 'Trunk',
      VoiceUrlMethod: 'POST',
      TrunkIp1: '192.0.2.10',
      TrunkPort1: '5060',
      TrunkTransport1: 'UDP',
      TrunkEnabled1: true,
      Trunk1Priortiy: 10,
      Trunk1Weight: 10,
      IntelligentRouteEnabled: true,
      RouteEnabled: true,
    },
    IpWhitelist: [{ IpAddress: '192.0.2.10' }],
  };
}

function seedWorkgroup(): State['workgroups'][number] {
  return {
    WorkgroupId: seedId('WID', 1),
    AccountId: seedId('AID', 1),
    Name: 'Front desk',
    fields: { Type: 'simultaneous', ScheduleId: null, RecordCalls: false },
    Activities: [
      {
        WorkgroupActivityId: seedId('WAID', 1),
        fields: {
          DigitOrder: 1,
          PhoneNumber: '+12015550101',
          Type: 'User',
          ReferenceWorkgroupId: null,
          ReferenceUserId: null,
          SmsNotification: false,
          EmailNotification: false,
        },
      },
    ],
  };
}
