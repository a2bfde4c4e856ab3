import type { JsonObject } from './json.ts';
/** The records the sandbox keeps, in the platform's own spelling (PLATFORM.md has a section for each). */

export interface Distributor {
  readonly key: string;
  readonly secret: string;
}

export type Address = Record<string, string | null>;

export interface Account {
  AccountId: string;
  DistributorId: string;
  AccountName: string;
  AccountAdmin: string | null;
  BillingAddress: Address | null;
  MailingAddress: Address | null;
}

/** The Password of a new subscriber is checked and not stored, because nothing needs it. */
export interface Subscriber {
  SubscriberId: string;
  AccountId: string;
  Name: string;
  Email: string;
  Role: string;
  EnableIntelligentGuardianCalls: boolean;
  EnableIntelligentGuardianMessages: boolean;
}

export const STATUS = {
  active: 'Active',
  parked: 'Parked',
  pendingDelete: 'Cancelled - Pending Delete',
  cancelled: 'Cancelled',
} as const;

export type NumberStatus = (typeof STATUS)[keyof typeof STATUS];
export type NumberKind = 'mvno' | 'voip' | 'iot';

export interface DataUsage {
  ValueUnit: 'MB';
  NotifyValue: number | null;
  ThrottleValue: number | null;
  ThrottleSpeed: string | null;
  LimitValue: number;
  UsedMb: number;
}

export interface NumberRecord {
  Number: string;
  PhoneNumberId: string;
  AccountId: string;
  OrderId: string;
  Status: NumberStatus;
  NumberType: NumberKind;
  ProductType: string;
  MessageType: 'p2p' | 'a2p';
  MessageEnabled: boolean;
  VoiceEnabled: boolean;
  DataEnabled: boolean;
  MessageRouteId: string | null;
  VoiceRouteId: string | null;
  AssignedSubscriberId: string | null;
  Iccid: string | null;
  CnamFirstName: string | null;
  CnamLastName: string | null;
  OriginalDatePurchased: string;
  SwapsRemaining: number;
  NextSwapResetDate: string;
  PortOutPin: string | null;
  CancelledOn: string | null;
  DataUsage: DataUsage;
}

export type OrderType = 'provision' | 'portin' | 'portout' | 'update' | 'status';

export interface PortIn {
  CurrentCarrierName: string;
  CurrentAccountNumber: string;
  /** SHA-256 of the password. It is only compared, to detect that a correction changed it. */
  CurrentAccountPasswordHash: string;
  CurrentBillingAddress: Address;
  SubscriberName: string | null;
  TargetPortinClassification: string;
  PortInDate: string | null;
  ICCID: string | null;
  AssignedSubscriberId: string | null;
  Wireline: boolean;
  /** Time at which the losing carrier will reject the order, in ms of the sandbox clock; null if it will not. */
  RejectDueAt: number | null;
}

export interface Order {
  OrderId: string;
  AccountId: string;
  OrderType: OrderType;
  OrderDate: string;
  OrderStatus: string;
  ErrorMessage: string;
  Numbers: string[];
  PortIn: PortIn | null;
  /** The scheduled change of a status order with a later EffectiveDate. */
  StatusChange?: StatusChange;
}

/** The change that numbers/status makes on its EffectiveDate. */
export interface StatusChange {
  change: 'activate' | 'swap' | 'swap-sim' | 'replace' | 'park';
  /** Time at which it takes effect, in ms of the sandbox clock. */
  dueAt: number;
  /** `number` is the new number of a swap or a replacement. */
  rows: { numberId: string; iccid: string | null; number: string | null }[];
}

export interface CancelOrder {
  OrderId: string;
  DistributorId: string;
  Numbers: { Number: string; PhoneNumberId: string }[];
  AuthCodeHash: string;
  ExpiresAt: number;
  State: 'Pending' | 'Voided' | 'Complete' | 'Failed';
}

export interface Message {
  MessageId: string;
  AccountId: string;
  Direction: 'OUTBOUND' | 'INBOUND';
  Type: string;
  CampaignId: string | null;
  Cost: number;
  To: string[];
  From: string;
  Owner: string | null;
  Body: string;
  Region: string;
  CreatedOn: string;
  MessageType: 'sms' | 'mms';
  Status: string;
  MmsMedia: { MediaUrl: string }[];
  /** Time at which the carrier confirms an outbound message, in ms of the sandbox clock; null if none is pending. */
  DeliverAt: number | null;
}

export type Scalar = string | number | boolean | null;

/** A message route. `fields` has all fields except the ids, by name and as they were sent. */
export interface MessageRoute {
  MessageRouteId: string;
  AccountId: string;
  fields: Record<string, Scalar>;
}

export interface VoiceRoute {
  CallRouteId: string;
  AccountId: string;
  fields: Record<string, Scalar>;
  IpWhitelist: { IpAddress: string }[];
}

export interface Webhook {
  WebhookId: string;
  DistributorId: string;
  AccountId: string | null;
  WebhookUrl: string;
  Method: string;
  DataFormat: string;
  AuthenticationType: 'None' | 'Basic' | 'Token';
  AuthenticationUsername: string | null;
  AuthenticationPassword: string | null;
  AuthenticationToken: string | null;
  SubscribedEvents: string;
  Active: boolean;
}

export interface Product {
  ProductId: string;
  DistributorId: string;
  SKU: string;
  Description: string;
  Type: string;
  SubType: string | null;
  Cost: number;
  BillingFrequency: string;
  Active: boolean;
}

export interface PackageItem {
  PackageItemId: string;
  ProductId: string;
  Price: number;
  Monthly: boolean;
  Type: string | null;
  Active: boolean;
}

export interface Package {
  PackageId: string;
  DistributorId: string;
  SubscriberId: string | null;
  PackageName: string;
  Description: string | null;
  Type: string;
  Price: number;
  Monthly: boolean;
  Active: boolean;
  PackageItems: PackageItem[];
}

export interface Subscription {
  SubscriptionId: string;
  SubscriberId: string;
  TNID: string;
  ICCID: string | null;
  PackageId: string;
  Type: string;
  Active: boolean;
}

export interface Feature {
  FeatureId: string;
  AccountId: string;
  FeatureName: string;
  FeatureType: string | null;
  FeatureDescription: string | null;
  Active: boolean;
}

interface FeatureAssignment {
  FeatureAssignmentId: string;
  FeatureId: string;
  SubscriptionId: string;
  Active: boolean;
}

export interface Filter {
  FilterId: string;
  SubscriberId: string;
  Phone: string;
  FilterMode: string;
  Allowed: string[];
  Blocked: string[];
  NotificationPhones: string[];
  fields: Record<string, Scalar>;
}

export interface Workgroup {
  WorkgroupId: string;
  AccountId: string;
  Name: string;
  fields: Record<string, Scalar>;
  Activities: WorkgroupActivity[];
}

interface WorkgroupActivity {
  WorkgroupActivityId: string;
  fields: Record<string, Scalar>;
}

interface Fee {
  Number: string;
  AccountId: string;
  Amount: number;
  Currency: 'USD';
  Reason: string;
  ChargedOn: string;
}

export interface Call {
  CallId: string;
  From: string;
  To: string;
  StartedAt: number;
  LastEvent: string;
}

export type DeliveryKind = 'webhook' | 'message' | 'status' | 'voice';

/** A pending delivery. Its URL and secrets are read from the webhook or route when it is sent. */
export interface PendingDelivery {
  id: string;
  kind: DeliveryKind;
  event: string;
  target: string;
  payload: JsonObject;
  attempt: number;
  dueAt: number;
}

/** The guardian filter that stopped something, and its rule. */
export interface Stopped {
  FilterId: string;
  FilterMode: string;
  Rule: string;
}

export interface DeliveryAttempt {
  id: string;
  kind: DeliveryKind;
  event: string;
  url: string;
  attempt: number;
  at: string;
  status?: number;
  error?: string;
  body: string;
  /** The guardian filter that kept it from being delivered. */
  stoppedBy?: Stopped;
}

interface Settings {
  tokenSeconds: number;
  requestsPerMinute: number;
}

export interface State {
  accounts: Account[];
  subscribers: Subscriber[];
  numbers: NumberRecord[];
  orders: Order[];
  cancelOrders: CancelOrder[];
  /** Numbers whose port-in was cancelled and that were not checked for eligibility since. */
  uncheckedNumbers: string[];
  messages: Message[];
  messageRoutes: MessageRoute[];
  voiceRoutes: VoiceRoute[];
  webhooks: Webhook[];
  products: Product[];
  packages: Package[];
  subscriptions: Subscription[];
  features: Feature[];
  featureAssignments: FeatureAssignment[];
  callFilters: Filter[];
  messageFilters: Filter[];
  workgroups: Workgroup[];
  fees: Fee[];
  calls: Call[];
  pendingDeliveries: PendingDelivery[];
  deliveries: DeliveryAttempt[];
  settings: Settings;
}
