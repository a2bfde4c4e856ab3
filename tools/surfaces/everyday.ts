/** Frequent English words that are neither names nor words of the catalogue. No slip of the keyboard is read as one. */
export const everyday = `
websites apps porn sites youtube instagram facebook snapchat whatsapp netflix tiktok gaming half browsing
even ppl known against age ambulance apartment apology arrested arrive asleep ate bathroom battery batteries beep
beeping bleeding blind blood boat body bones brain breath browser buffering bugs bus camera charger choppy
cinema clothes college conference cough crash crashes crashing crime criminal crying custody customs dating death
depressed diagnosed dirty disability disaster disease divorce divorced doctors dog doorbell downloaded downstairs
drinking driving drunk echo echoing elderly elevator embarrassing evidence exam exams factory fever fishing flickering
flood flooded flying foot fridge funeral furniture garage garbled glasses government graduate hearing helpdesk homework
homeless household illegal illness injured injury insane installed installing insurance interview jail journey kidding
kidnapped kitchen knee lagging lags laptops lawyers leak leg library lightning medication medicine modem muffled murder
muscle nose nurses operation overheating overheats parcel passenger patchy pension pet policeman poison pregnant prison
psychologist pub pupil pupils purse rain raining rainy rebooting receiver recipe relative relatives rent repair repairs
restarting restaurant retirement robber robbery robotic schools screens semester server shoes shopping shoulder shower
sibling siblings sisters sleeping smoke snow soldier speaker spotty stairs static stomach stove stress stressed students
studying suicide supermarket surgeon surgery swim swimming symptom tablets teeth theater theatre therapist therapy thief
toilet tooth tourist trial umbrella unemployed university vacations vehicle village violence virus visitor war wedding
wheelchair woken
announcement announcements rights maintenance outage outages priorities priority
international foreign overseas domestic nationwide premium coach teacher nanny stepmum stepmom stepdad grandmother grandfather granny grandad nana anonymous withheld harassed harass bullied stalked creepy nasty weird
neither nor teen teens teenager teenage lenient strict stricter strictest moderate mildest lightest loosest tightest strongest adolescent ago ur gm auth authentication json xml connect connects pointing pointed em hiya heya howdy yo hullo greetings able approval approvals approver approvers approving confirm confirms confirming confirmation confirmations decisions above absolutely told notified accept accepted access accident accidentally according accordingly across act acted acting
action actions actual add added adding additional admit advice afaik afraid afternoon ah aha ahead aim alike alive
allowed almost along alongside alright although altogether amazing amount amounts angry annoyed annoying answering
anyhow anyway anyways apart apologies apologize apparently appear appears appreciate approach appropriate argh argue
arrange arrived arrives article aside assist assume assumed attached attempt attempts attention automatic
automatically available average avoid aware awful aye baby bad badly bank barely based basically basis became becomes
becoming blank began begin begins begun behalf believe believes benefit beside bet beyond bigger biggest bit bits blame book
booked boring borrow bother bothered bothering bottom bought box boyfriend break breaks brief briefly bring bringing
brings broke brother brought btw building built bunch busy button buy buying capable car care careful carefully
carries carry carrying cases caught cause caused causes causing center central certain certainly chat chatting cheers
child children choice choose chosen city claim claims claiming clean clearly clever clicked close closed closely closer closing club coffee
cold collect comfortable comment common companies company compare compared complain complained complaining complains
complaint complaints completely concern concerned concerns condition conditions confused confusing consider considered
considering constantly contact contacts contacted contain contains continue continued continues continuously contrary convinced correction corrections cool
copy corner correct correctly country couple course cover covered covers crazy create created creates creating credit
curious current customers cut cuts cutting damage damaged damn danger dangerous dark dead deal dealing deals dealt
decide decided decides decision deep definitely deliver delivered demand demanded demands department depend depends
described desk desperate despite detailed develop difference differently difficult dinner direct directly disappear
disappeared discuss discussed double doubt dozen drive driver drove dry dude dumb earlier earliest earn ease easier
easily easy eat eats effect effects effort eh either elsewhere email emailed emails emergency employee employees empty
enable enabled enjoy enjoys entered entire entirely equal equally error errors especially essential etc eventually
exact exactly excellent exception exchange excited excuse exist existed existing exists expect expected expecting
expects experience expert explain explained explains explanation express extra extremely eye eyes face faced faces
fact facts fail failed failing fails fair fairly fall false familiar fancy farther fast faster father fault fear feel fewest
feeling feels fell felt fewer fiance fifth fight figure figured file files fill filled final finally finds finish
finished finishes finishing fire firm fit fits fix fixed fixes floor folks follow followed follows food force forced
foreign forget forgets forgot forgotten form former fortunately forward fourth freely frequent frequently fresh friend
friendly front frustrated frustrating fully fun funny furious furthermore future fyi gave geez general generally gets
getting girl girlfriend gives giving glad goal goodbye gosh grab gradually grand granddaughter grandma grandpa
grandson greater ground group groups grow guess guest guys gym habit haha hair hand handed handle handled handling
hands handy hang hanging happens happier happily happy hard harder hardly hate hated hates having head headache heard
hears heart heavy heck held helped helpful helping helps hence hers herself hidden hide high higher highest highly
himself hit hits hm hmm honest honestly hoped hopefully hopes hoping hospital hotel house however huge huh human
humans hundred hungry hurry hurt idea ideas identical idk ignore ignored ill imagine imo important impossible improve
incident included includes including income incorrect incorrectly increase increased indeed individual inform informed
inquiry insist insisted insists instance instant instantly instruction instructions intend intended interest
interested interesting internal introduce investigate invite invited involved issue issues item items itself job jobs
join joined joke jump junk justified keen kept kick kicked kicking kiddo kids kill killed kind kinda kindly kinds knew
knows lack laid land language laptop large larger largest lasted lasts latest latter laugh lawyer lay lazy lead leads
learn learned leaves led legal legit lesson letter level liar lie lied lies life lift light likely likes limited
listen literally live lived lives living load loaded located location locked logged logical lol lonely longer longest
looked loop loose lose loses losing loud loudly loved lovely loves low lower luck luckily lucky lunch machine madam
magic mainly maintain majority makes making male manage managed manager manages manner marked market married massive
mate matter matters maximum meaning means meant meanwhile measure medical meet meeting member members memory mention
mentioned mentions mess messed messing met method middle might million mine minimum minor missed misses missing
mistaken mix mixed mode modern monitor mood moreover mostly mother moved moves movie moving multiple mute myself
mystery nah naturally nature nearby nearest nearly neat necessarily necessary needing neighbor neighbour neither
nephew nerve nervous network neutral nevertheless news nicely niece noise nonsense nope normal normally notes notice
noticed notices nowadays nowhere nuisance numerous obvious obviously occasion occasionally occur occurred occurs odd
offer offered offers officer official officially oh omg omitted ongoing online ooh oops opened opening opens operate
opinion opportunity opposite option orders original originally otherwise ouch ought ours ourselves outcome outgoing
outside overall overdue overnight pack pain panic paper papers parent parents parking partly partner party pass passed
passes past patience patient pause pays perfect perfectly perhaps period permission persist personally physical pick
picked picking picture pictures piece pieces plain plane plans plenty point points police policy politely poor popular
position positive possibly post posted potential practice prank prefer preferred prefers prepare prepared presence
present press pressed pressure presumably pretend prevent prevents previous previously primary principle prior private
probably problem problems procedure proceed process processed product professional promise promised promises promptly
proof proper properly prove proved provide provided provider provides public pull pulled pure purely purpose pursue
pushed pushing puts putting puzzled quality quarter questions quit raised random ranted rapid rare rarely rate reach
reached reaches reaching react reads real realise realised realize realized reasonable reasonably reasons receive
receives recent recheck recognise recognize recommend recommended reduce reduced refer reference refunded refuse
refused refuses regard regards regularly related relation relationship relatively relevant relief rely remain
remaining remains remark remember remembered remembers remind reminded removed repeat repeated repeatedly repeats
replace replaced replied replies reply report reported reports represent require required requires research reset
resolve resolved respond responded responds response responsible rest restart restarted restored result resulted
results retail retired return returned returning returns review reviewed ridiculous ring rings risk road role roll
room rough roughly round route row rude rule rules rush rushed sad safe safely safety sale sales satisfied save saved
saves scared scary scene schedule scheduled school scream screamed screaming screen search searched season seat
secondly secret section secure security seeing seek seemed seen sees select selected self sell selling sense separate
separately serious seriously serve served sessions setting settings settled several severe shall shame share shared
sharing shift shop shortly shot shouldnt shout shouted shouting show showed showing shown shows shut sick side sight
sign signal signed significant silent silly similar similarly simply single sir sister sit site situation size sleep
slept slight slightly slow slower slowly small smaller smooth smoothly sold solid solution solve solved someday
somehow someway somewhat sort sorted sorts sound sounded sounds source space spare speak speaking speaks specific
specifically spend spending spent spoke spoken spot spouse staff stage stand standing stands state stated statement
states status stay stayed staying stays step sticks stood store stores story straight strange stranger street strict
strictly struggle struggling stuck student stuff stupid subject success successful successfully suddenly suffer
sufficient suggest suggested suggestion suggestions suggests suit suitable suited sum supply support supporting
supposed supposedly surely surprise surprised surprising survey suspicious swear sweet switch switched system systems
ta table taken taking talk talked talking talks tap target task tbh team tech technical technician teenager temper
tend terrible terribly testing thankful theirs themselves theory therefore thick thin thinking third thirdly thirty
thorough thoroughly thoughts thousand threat threaten threatened threatening threatens threw throw thrown thus ticket
tickets tight till tiny tip tired title toll tone tons tool top topic totally touch touched tough toward towards town
track tracked trade traditional traffic train training transaction transport trash travels treat treated treats tree
trick tricky trigger triggered trip trips trouble truck true truly trust trusted truth turned turning turns tv twenty
typed typical typically typing ugh uh uhh ultimate ultimately um umm unable unacceptable unavailable unaware unclean
unclear uncomfortable understandable understanding understands understood unexpected unexpectedly unfair unfortunate
unfortunately unhappy unknown unless unlike unlikely unnecessary unpaid unsure unusual upcoming update updated updates
upon upset upstairs used useful useless user users usual vague valid value various vary vendor verified verify version
vice victim view viewed views violent virtual visible visit visited visiting visits vital volume volunteer waited wake
walk walked walking wall wallet wanting warm warn warned warning warnings waste wasted watch watched watching wave
weak weather web website weird welcome welcomed whatever whenever whereas wherein wherever whichever whoa whoever wide
wild willing win window wished wishes withdrawn woke won wonder wondered wonderful wondering wonders word words worker
workers world worried worries worry worrying worse worst worth worthy wow wrap write writes writing written wrongly
wrote yard yay yea yeah yell yelled yelling yells yep yikes younger youngest yours yourself yourselves yup zero
blow blew blown whom per completed complete completes completing export exported exports exporting import rundown submitted submit
submits queue queued queues rows column columns dashboard summarize breakdown sums metric metrics statistics trends
chart graph csv excel spreadsheet sheet download downloads upload comparison grouped ranked lowest smallest newest
oldest preceding shifts supervisor supervisors agents colleagues coworker operator operators rep reps crew nightshift
dayshift handover handoff oncall pager paged alarm alarms incidents outage outages downtime uptime latency spikes
backlog escalated escalate escalation escalations severity breach breached breaches breaching died survived 
 recovery expiry expiration lapse lapsed lapses purge purged purges vanish vanished
vanishing disappearing timing touching altered tweaked tweak rolled undone redone redo performed perform executed
execute run running fired launched succeeded succeed unsuccessful partial partially attempted tries looking reviewing
acknowledged ack skipped skip claimed owned owns owning belonging holder holders owner owners tallied tally recorded
audit audited audits auditing trail trace traced historical archived priced pricing revenue expense expenses budget
bucks cash connected reachable unreachable unregistered unprovisioned migrating migrated migrate hung exceeded exceed
exceeding exceeds hitting maxed whomever short seldom presently accurate lunchtime breakfast weekday buddy bro peeps
gang gotta dunno sorta wheres whens theres heres compliance privacy policies checklist rejections denied deny denial
outstanding awaiting await unresolved duplicate duplicates duplicated mismatch mismatched mismatches discrepancy fraud
fraudulent abuse abused figures approximate approximately around excluding
everywhere anywhere elsewhere somewhere repair repairs repaired repairing worked crashed froze frozen rebooted glitch glitchy glitching laggy flaky dropped drops tho rn atm tbh imo lemme grandma grandpa granny nana school doctor boss coach nanny babysitter teacher stepmum stepmom stepdad neighbour neighbor fiance girlfriend boyfriend roommate landlord cousin niece nephew clinic dentist lawyer flatmate inlaws grandson granddaughter carer caregiver nurse gimme brb gotcha kk bruh np nvmd pronto ish tysm omw hospitalized husband hubby coworker roommate landlord hiccup mixup typo dumped pissed moody grumpy impatient nicked pinched imei paying saveable
batch batches bulk done gone gives contents delivery deliveries approver failure failures anywhere shes hes theyre situation unsuccessful hog hogs megs chew chewed released release releases deletion deletions scheduled alive maxed sitting vs versus expire expires expired expiring ran use uses
wrote yard yay yea yeah yell yelled yelling yells yep yikes younger youngest yours yourself yourselves yup zero waive waived waives forgive resend resends resent replay redeliver refresh reboot rebooted incoming inbound outbound unassign posting posts delivers delivering hits hitting callback callbacks
`;

/** Words that ask for nothing by themselves: an answer may leave them out without saying so. */
export const unsaying = `
a an the and or but so then also too please pls plz kindly just now asap today immediately straight right away hi hey hello
thanks thank thx ty you u your i im we us me my our he she they it its his her hers him them their this that these those it
there here is are was were be been being am do does did done doing has have had having can could would will should may
might must to of for on in at by with from as if not no dont never off up out back over again still yet already want wants
wanted need needs needed like get gets got give gives gave put puts set make makes let lets go goes going gone ok okay alright
customer customers client guy lady man woman kid kids son daughter wife husband mom mum dad mother father person people
somebody someone everybody everyone anyone nobody line lines number numbers phone fone mobile cell one ones thing things
urgent urgently quick quickly really very actually sorry well yes yep yeah yup hm hmm ugh ah oh wow lol omg only what when who
which whose where how why because cause since about into onto until till than able possible maybe think guess know mean see
sure say says said saying ask asks asked tell told called calling t s re ll ve d m team folks guys all both each same new
old other another any some more etc instead fine anymore any longer keep keeps wait mistake accident accidentally wrong
leaving leave leaves left down through thru for good effective anyway weird losing stuck kindly properly correctly
meanwhile now also asap fyi btw tbh imo pm am morning afternoon evening looks look seems seem says apparently
em sir madam mate buddy dear cheers hopefully finally simply basically currently request requests order system account
events event updates update sending runs run hits reaches reached spammer scammer uses used using much working works moving moved
completely entirely altogether totally
mr mrs ms miss dr coach teacher nanny grandma grandpa grandmother grandfather gran granny grandad nana stepmum stepmom stepdad aunt auntie uncle
rang phoned tho atm rn btw options afaik daily apparently harassment bullying scared upset worried angry
paid pays paying ran forgot forgets died dies broke breaks complained complains complaining came comes coming
abroad nicked stolen stole robbed lost afterwards whoever inbound incoming batch amount wheres complete
always forever permanently whatever wherever between after before near while during per via own
grandma grandpa grandmother grandfather granny nana grandson granddaughter mommy mummy daddy stepmum stepmom stepdad
stepson stepdaughter aunt auntie uncle cousin niece nephew brother sister fiance fiancee girlfriend boyfriend roommate
flatmate partner ex vacation abroad holiday travelling traveling travels neighbour neighbor friend friends landlord doctor dentist clinic teacher coach boss nanny
babysitter nurse carer caregiver lawyer colleague rang rings phoned tho though atm rn
shes hes theyre thats invalid owner holder unassigned orphan mismatch mismatched typo foc authorized authorised duplicate sub profile contact cust
`;
