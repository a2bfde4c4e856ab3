import { describe, expect, it } from 'vitest';
import { Guide } from '../../../../src/assistant/guided/guide.ts';
import { tools } from '../../../../tools/index.ts';
import { NOW } from '../sentences.ts';

const guide = new Guide({ tools, now: () => NOW });

/** What an answer does or shows, without the sentence that says how it was read. */
function read(message: string, earlier: readonly string[] = []) {
  const { kind, operation, input, find, each, also } = guide.answer(message, undefined, undefined, earlier);
  return { kind, operation, input, find, each, also: also?.map((one) => [one.operation, one.input]) };
}

/** Messages that name their own record, each after others of the same hour: "earlier => … => message". */
const OWN = `
block +13105550188 for ben, keeps calling him at night => someone keeps texting 2015550103 from +19175550122, block texts from that number
block +13105550188 for ben => no calls from abroad on 2015550104 pls
kid is 15 now, loosen the message filter on 2015550102 => mother on +12015550103 wants all unknown callers blocked on her sons line
change the caller name on 2015550104 to Stone Bakery => all lines of ava stone
reactivate +12015550108 => can 2015550109 still be restored?
please cancel 0101 and 0103 => customer changed his mind, wants 2015550107 back
set the caller name of 2015550103 to Stone Bakery => delete subscriber Ben Reed
rename Starter to Basic => we need a new product: DATA-10, 10 GB of data, 12.00
the zip on the port of 3125550111 is 60614 => customer wants to bring (773) 555-0162 over from Verizon, start the port pls
the zip on the port of 3125550111 is 60614 => how long does a port in usually take?
cancel the port of 3125550111 => landline 312-555-0192 needs to come in on 2026-12-09, carrier is AT&T
change the caller name of 0103 to STONE => how much is Starter a month
change ben's role to manager => who is on Starter
trunk 1 of Main SIP trunk moves to 198.51.100.7 => turn off the main sip trunk for now, getting fraud calls
new message route for globex called Globex backup => delivery receipts for Main SMS route should go to https://dlr.acme.example/cb
park all of ava's lines except 0101 => 0103 0104 0106 paid, put them back on
show 0101, 0103 and 0105 => who's close to their data limit
port 6465550188 in for ben => subscribe 0105 to the starter plan
add subscriber Nina Patel nina@globex.example => available iot numbers in 312
add 2 gb to 0106 => we might need to cancel 0104
give ava her calls back => which lines are on starter
park 0103 => reset the voicemail pin of 0105
swap the sim of 0101 => customer on 0102 says texts fail
let grandma 3125550190 text ava again => 3125550144 keeps calling ben, block it
message ava: your port went through => no internet on +12015550101
raise the limit of 0105 to 5 gb => is it too late to restore 2015550107
create a package called Family for 20 => new line for Ben in 212
show me the last messages on 2015550102 => someone called +12025550177 keeps ringing ava stone, block him please
block calls from 202 555 0188 on 0103 => she keeps getting spam texts from +13235550144, make it stop on 2015550101
set up a text filter for a 10 year old on 2015550103 => stop incoming texts on 0104 altogether, customer doesnt want them
whitelist 203.0.113.7 on the sip trunk => disable the Main SIP trunk until i say so
show the plan Starter => remove DATA-05 from the catalogue, nobody buys it
port 3125550111: zip should be 60614 => different thing: ben wants his caller name to be Reed Plumbing
watch 0103 => show the webhooks of globex
unblock 3125550199 for ben => the starter package should be retired
deliver call ringing events for globex to https://cc.globex.example/calls with token auth => webhook WID-00000000-0000-4000-8000-000000000009 to xml please
swap sim of 0104 => turn message guard on for Ava Stone
park 0101, 0103 and 0105 from monday => export the audit of the last week as csv
bens new email is ben.reed@gmail.com => create a workgroup Sales
put ben on the family plus plan => webhook https://a.example/z should also get call recordings
take 0101, 0103 and 0104 off hold => put esim-01 into starter too, at 2.50
park 2015550103 on wensday => from today we pay 0.40 for ESIM-01
new sim for 2015550104 => summary since monday
0106 gets the starter package => (201)-555-0105 whose is it
please redirect globex's message route to https://g.example/in => no one gets through to ben
is +12015550107 still active or already gone => I need to cancel a number
new hire at acme, Tess Moore, tess@acme.example, needs account admin => add a customer to the block list
can you port 9175550133 over => data consumption report for globex november
set 0105 to 2 GB, not 5 GB => starter is too cheap, make it 19
rename the workgroup Sales to Sales East => details for +12015550104
only allow 198.51.100.7 on the main sip trunk => top data users on globex
cnam wrong for 2015550103, its NOVA TECH => delete acme
raise the price of the starter plan to 12 => everyone with a globex line
switch 0104 from voip to mvno => activate esim for ben
new subscriber Ravi Menon ravi.menon@acme.example => ben's mms not sending
point inbound texts on Main SMS route to https://a.example/sms/in => data usage for all acme lines pls, in one list
block 3125550199 from texting ben => set up esim on 2015550103
tell ben reed his bill is overdue => dont text ava
rename Starter to Starter Plus => we dont sell starter anymore, get rid of it
we want call ringing events at https://cc.globex.example/calls with token auth, globex only => front desk should ring round robin instead of all at once
point sms of main sms route to https://a.example/in => delete the message route we dont use anymore
see if 9175550101 is eligible and start the port for ava if it is => globex relocated, billing address 8 Main St Kansas City Missouri 64105
`;

/** Messages that go on with the one before, though they have words of a topic of their own. */
const GOES_ON = `
park 0103 => sorry, 0105 => {"PhoneNumbers":"0105"}
port in 3125550178 => account number is 445566 => {"PortInNumber":"+13125550178","CurrentAccountNumber":"445566"}
new customer Dana Whitfield => email is dana@whit.example => {"Name":"Dana Whitfield","Email":"dana@whit.example"}
text 0103 => your number is live now => {"Body":"your number is live now"}
what packages are there => put 0106 on it => {"PackageId":"listedonly"}
who is blocked on 0101 => remove 3125550199 => {"Numbers":["+13125550199"]}
add a webhook for order updates to https://hooks.acme.example/orders => xml format please => {"DataFormat":"xml"}
what does ben's call filter look like => could you take 0150 off it please => {"Numbers":["0150"]}
who has 0110 => assign to ben => {"AssignedSubscriberId":"ben"}
`;

const rows = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split(' => '));

describe('a message after others', () => {
  it.each(rows(OWN))('is a topic of its own if it names its own record: %s => %s', (...row) => {
    const [message = ''] = row.slice(-1);
    const alone = read(message);
    expect(alone.operation ?? alone.kind, message).toBeDefined();
    expect(read(message, row.slice(0, -1))).toEqual(alone);
  });

  it.each(rows(GOES_ON))('goes on with the one before without one: %s => %s', (...row) => {
    const [wanted = '{}'] = row.slice(-1);
    const [message = ''] = row.slice(-2);
    const { input, find } = read(message, row.slice(0, -2));
    const values = JSON.stringify({ ...find?.input, ...input });
    for (const [name, value] of Object.entries(JSON.parse(wanted)))
      expect(values).toContain(
        name === 'PhoneNumbers' ? String(value) : JSON.stringify({ [name]: value }).slice(1, -1),
      );
  });

  it.each(['so no park', 'no hold then', 'ok no parking after all'])('withdraws what was offered: %s', (message) => {
    expect(guide.answer(message, undefined, undefined, ['park 0101'])).toMatchObject({ withdraws: true });
  });

  it('takes back the offer of the line that it names, and not the last one', () => {
    const earlier = ['cancel 2015550103', 'terminate 0106'];
    const answer = guide.answer('she changed her mind, dont cancel 0103 after all', undefined, undefined, earlier);
    expect(answer).toMatchObject({ withdraws: true, takesBack: 'numbers_cancel' });
    expect(answer.understood).toContain('“cancel 2015550103” is taken back');
  });
});
