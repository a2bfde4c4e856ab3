import { type Detailed, detailedIn } from './details.ts';

/*
 * Words of the talk around an order: a pause or an agreement before it, taking it back in words of one's own or after
 * another answer in between, and questions about what is offered. In the notation of `details.ts`.
 */

const PAUSES = `
ben wants to port out, set him a pin => hold on that was for ava's 0101 not ben | numbers_portout | Query=0101 | numbers_status | takes the place of
ben wants to port out, set him a pin => hold on wrong customer | help | | numbers_status | is taken back
swap the sim of 0103, iccid 89012403971900099930 => hold on, ava says it's 0104 | numbers_update | Iccid=89012403971900099930, Query=0104 | numbers_status | takes the place of
cancel 0104 => one sec, the customer says it's 0106 | numbers_cancel | Query=0106 | numbers_status | takes the place of
park 0103 => stop, wrong one, it's 0101 | numbers_status | Query=0101 | numbers_diagnose | takes the place of
set a port-out pin for ben => hang on he told me it's 0101 | numbers_portout | Query=0101 | numbers_status | takes the place of
hold on, 0103 is not ready yet | numbers_find | Query=0103 | numbers_status |
hang on, is 0104 active? | numbers_find | Query=0104 | numbers_status |
hold on 0103 please, she lost the phone | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
0105 => ok raise it to 40 then | numbers_data_usage_set | Query=0105 | numbers_cancel | 40
0102 => ok text her: all good now | message_outbound | Body=all good now, Query=0102 | message_search_get |
0104 => alright, park it then | numbers_status | StatusChange=park, Query=0104 | numbers_cancel |
0104 => ok approve it then | help | | numbers_status | words do not
`;

const TAKEN_BACK = `
0106 wants to cancel => can we do it end of the month instead => hm shes staying. forget it | help | | numbers_cancel | is taken back
park 0103 => is it on hold now? => she found it, never mind | help | | numbers_status | is taken back
cancel 0104 => who has 0104 => take it back pls, he changed his mind | help | | numbers_cancel | is taken back
raise limit of 0105 to 30 mb => how much did 0105 use => leave the limit as it was | help | | numbers_data_usage_set | is taken back
bump the data limit on 0101 to 20 gb => actually make that 15 => sry forget it, leave it as is | help | | numbers_data_usage_set | is taken back
park 0103 => false alarm | help | | numbers_status | is taken back
park 0103 => not necessary any more, phone turned up | help | | numbers_status | is taken back
park 0103 => please remove that offer | help | | numbers_status | is taken back
park 0103 => leave her line alone | help | | numbers_status | is taken back
park 0103 => we'd better not | help | | numbers_status | is taken back
park 0103 => i take that back | help | | numbers_status | is taken back
park 0103 => u r wrong i didnt ask that | help | | numbers_status numbers_diagnose | is taken back
cancel 0104 => cancel that request, the customer decided otherwise | help | | numbers_cancel | is taken back
change the port date of +13125550111 to dec 16 => no keep the date, let me know when its done | numbers_order_get | | numbers_portin_update | to dec 16” is withdrawn
cancel 0106 => no, she is staying. what plan is she on? | numbers_find | Query=0106 | numbers_cancel | “cancel 0106” is withdrawn
park 0103 => forget it, text her "all good" | message_outbound | Body=all good, Query=0103 | numbers_status | “park 0103”, which is withdrawn
park 0103 => forget that, park 0104 | numbers_status | Query=0104 | numbers_cancel | “park 0103”, which is withdrawn
park 0105 and 0106 => pull that one back, i meant only 0106 | numbers_status | Query=0106 | numbers_cancel | which is withdrawn
wheres the port of 3125550111 => keep the date | numbers_order_get/numbers_find/help | | numbers_portin_update numbers_portin_cancel |
`;

const ABOUT = `
0107 was cancelled by mistake, bring it back => did lee approve it | events_since | Query=0107 | numbers_reactivate | 0107
0107 was cancelled by mistake, bring it back => did lee approve it => is it working again | numbers_diagnose | Query=0107 | numbers_reactivate | read as 0107
what did lee do today => is it working again | help | | numbers_status |
cancel 0104 => has anyone said yes yet | events_since | Query=0104 | numbers_cancel | 0104
cancel 0104 => who has 0104 => did anybody confirm it | events_since | Query=0104 | numbers_cancel |
block 9175550143 for ben => what did you just change? | events_since | Query=ben | _add |
swap the sim of 0105 to 89012403971900099930 => who has to approve that | help | | numbers_update | an approver for what costs
block 9175550143 for ben => and show me the list after | help | | _add | Nothing was done yet
move 0105 from ava to ben => what would ben have then | help | | numbers_update | Nothing was done yet
0106 wants to cancel => is there a fee if she changes her mind | help | | numbers_update numbers_cancel | Cancel numbers
park 0103 => what happens to her texts | help | | message_outbound numbers_status | Park a number
park 0103 => what does a sim swap cost | help | | numbers_update numbers_status | Swap a SIM
park 0103 => does it take effect immediately? | help | | numbers_status | Park a number
u r wrong i didnt ask that | help | | numbers_diagnose | Nothing was done
thats not what i meant | help | | numbers_diagnose | Nothing was done
undo the last thing ana did | events_since | By=ana | numbers_status | What “ana” did
revert lee's last change | events_since | By=lee | numbers_status | Nothing was undone
`;

export const talk: readonly Detailed[] = [PAUSES, TAKEN_BACK, ABOUT].flatMap(detailedIn);
