import { badField, badReference, notFound } from '../errors.ts';
import type { Scalar, Workgroup } from '../records.ts';
import { get, post, queryText, type Request } from '../world.ts';

const TARGETS = ['User', 'Workgroup'];

/** The fields that an update sets besides the name (PLATFORM.md, Workgroups). */
const FIELDS = {
  TelegentPhone: 'text',
  Type: ['IVR', 'simultaneous', 'round-robin'],
  CallOrder: 'text',
  AnnouncementText: 'text',
  AnnouncementUrl: 'url',
  ScheduleId: 'text',
  TimeZone: 'text',
  RecordCalls: 'flag',
  TranscribeRecordings: 'flag',
  OffHoursType: TARGETS,
  OffHoursId: 'text',
  OnHoursType: TARGETS,
  OnHoursId: 'text',
} as const;

function owned({ store, distributor }: Request): Workgroup[] {
  return store.state.workgroups.filter((row) => store.owns(distributor, row));
}

function ownWorkgroup(request: Request, id: string): Workgroup {
  const row = owned(request).find(({ WorkgroupId }) => WorkgroupId === id);
  if (row === undefined) throw notFound(`Workgroup ${id}`);
  return row;
}

/** Returns the whole configuration, with its members. */
function workgroupView(row: Workgroup) {
  return {
    WorkgroupId: row.WorkgroupId,
    Name: row.Name,
    AccountId: row.AccountId,
    Active: true,
    ...row.fields,
    Activities: row.Activities.map(({ WorkgroupActivityId, fields }) => ({ WorkgroupActivityId, ...fields })),
  };
}

function listWorkgroups(request: Request) {
  return {
    Workgroups: owned(request).map(({ WorkgroupId, Name, fields }) => ({
      WorkgroupId,
      Name,
      Type: fields.Type ?? null,
      Active: true,
    })),
  };
}

function getWorkgroup(request: Request) {
  const id = queryText(request, 'WorkgroupId');
  if (id === null) throw badField('WorkgroupId', 'required');
  return workgroupView(ownWorkgroup(request, id));
}

/** Fields left out keep their values. */
function updateWorkgroup(request: Request) {
  const { body, store, distributor } = request;
  const row = ownWorkgroup(request, body.text('WorkgroupId'));
  const account = body.filledText('AccountId');
  if (account !== null && store.account(distributor, account) === undefined) throw badReference('AccountId');
  if (account !== null && account !== row.AccountId) throw notFound(`Workgroup ${row.WorkgroupId}`);
  body.optionalPhone('TelegentPhone');
  const changes = body.bag(FIELDS);
  if (body.has('Name')) row.Name = body.text('Name');
  row.fields = { ...row.fields, ...changes };
  return workgroupView(row);
}

/** Updates the activity named by WorkgroupActivityId. Fields left out keep their values (PLATFORM.md, Workgroups). */
function updateActivity(request: Request) {
  const { body } = request;
  const id = body.text('WorkgroupActivityId');
  const own = owned(request);
  const group = own.find((row) => row.Activities.some((activity) => activity.WorkgroupActivityId === id));
  const activity = group?.Activities.find((row) => row.WorkgroupActivityId === id);
  if (group === undefined || activity === undefined) throw notFound(`Workgroup activity ${id}`);
  for (const name of ['WorkgroupId', 'ReferenceWorkgroupId']) {
    const given = body.filledText(name);
    if (given !== null && !own.some((row) => row.WorkgroupId === given)) throw badReference(name);
  }
  const parent = body.filledText('WorkgroupId');
  if (parent !== null && parent !== group.WorkgroupId) throw badReference('WorkgroupId');
  const phone = body.optionalPhone('PhoneNumber');
  const changes: Record<string, Scalar> = {
    DigitOrder: body.optionalInteger('DigitOrder'),
    PhoneNumber: phone,
    Type: body.optionalChoice('Type', ['User', 'Workgroup']),
    ReferenceWorkgroupId: body.filledText('ReferenceWorkgroupId'),
    ReferenceUserId: body.filledText('ReferenceUserId'),
    SmsNotification: body.optionalFlag('SmsNotification'),
    EmailNotification: body.optionalFlag('EmailNotification'),
  };
  const given = Object.entries(changes).filter(([, value]) => value !== null);
  activity.fields = { ...activity.fields, ...Object.fromEntries(given) };
  return { WorkgroupActivityStatus: 'Updated', WorkgroupActivityId: id };
}

export const workgroupRoutes = [
  get('/v1.0/account/workgroups', listWorkgroups),
  get('/v1.0/workgroups', getWorkgroup),
  post('/v1.0/workgroups/update', updateWorkgroup),
  post('/v1.0/workgroups/activity/update', updateActivity),
];
