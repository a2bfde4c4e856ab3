/* A correction of spelling has to know shorthand, and names that look like slips. */

/** Maps shorthand in lower case to its word. */
export const shorthand: Readonly<Record<string, string>> = {
  tht: 'that',
  u: 'you',
  r: 'are',
  sry: 'sorry',
  srry: 'sorry',
  soz: 'sorry',
  tmrw: 'tomorrow',
  tmrow: 'tomorrow',
  tmr: 'tomorrow',
  tmw: 'tomorrow',
  tomo: 'tomorrow',
  tomorow: 'tomorrow',
  tommorow: 'tomorrow',
  tommorrow: 'tomorrow',
  tomorro: 'tomorrow',
  yday: 'yesterday',
  ystrday: 'yesterday',
  yesterdy: 'yesterday',
  munday: 'monday',
  wensday: 'wednesday',
  wednsday: 'wednesday',
  thrusday: 'thursday',
  thurday: 'thursday',
  fryday: 'friday',
  satuday: 'saturday',
  decemer: 'december',
  novemeber: 'november',
  janurary: 'january',
  febuary: 'february',
  snd: 'send',
  msg: 'message',
  msgs: 'messages',
  thru: 'through',
  swop: 'swap',
  n: 'and',
  'e-mail': 'email',
  'e-mails': 'emails',
  'caller-id': 'caller id',
  'caller-name': 'caller name',
  're-activate': 'reactivate',
  gimme: 'give',
  lemme: 'let',
  cud: 'could',
  portd: 'ported',
  shud: 'should',
  addr: 'address',
  shd: 'should',
  shld: 'should',
  wud: 'would',
  wats: 'whats',
  wat: 'what',
  wath: 'what',
  wen: 'when',
  whi: 'why',
  whyy: 'why',
  recieve: 'receive',
  recieves: 'receives',
  recieved: 'received',
  happenned: 'happened',
  happning: 'happening',
  fialed: 'failed',
  lins: 'lines',
  overnite: 'overnight',
  dosnt: 'doesnt',
  ther: 'there',
  whith: 'with',
  hwo: 'how',
  chaged: 'changed',
  cancled: 'cancelled',
  mothn: 'month',
  wanna: 'want',
  gonna: 'going',
  dnt: 'dont',
  txt: 'text',
  txts: 'texts',
  nr: 'number',
  nrs: 'numbers',
  nbr: 'number',
  num: 'number',
  nums: 'numbers',
  sub: 'subscriber',
  subs: 'subscribers',
  cust: 'customer',
  simm: 'sim',
  sims: 'sim',
  pkg: 'package',
  wether: 'whether',
  callerid: 'caller id',
  helo: 'hello',
  hep: 'help',
  halp: 'help',
  nite: 'night',
  tonite: 'tonight',
  evn: 'even',
  moring: 'morning',
  mornin: 'morning',
};

/** Given names that are a slip away from a word of the vocabulary. They are never corrected. */
export const givenNames =
  'hale lina dana mark clare claire cole sal cal val hal blake holden parker page paige carter porter porta ford lana lena lane ' +
  'miles myles reed reid reade reese marin maria mara marie mario mary carl karl carol cara carla cora corey cory kira ' +
  'aline celine alina elina nina ina rita dina gina tina tara sara sarah zara liam lian leon leona lou louis luis luise luisa ' +
  'adam ada aida ana anna anne annie andy andre andrea andreas alan allan allen allan ellen elen helen helena olen owen ' +
  'peter petra perry percy piper pepper stella stefan stephan steven sean shane shawn shaun shay shea ivan iva eva ava eve ' +
  'bob bobby robin robyn ruben rubin roman romana rosa rose ross russ rudi rudy cathy kathy katie kate kat tess tessa theo ' +
  'toby tobin todd tom tommy tim timmy ron ronny don donna donny dona dora doris lori laura lara laurel laurie larry barry ' +
  'harry henry henri hannah hanna joan joann joanna john johan jon jonas jane janet janis janice jan jana ian jean jenna ' +
  'jenny jess jesse joel joey jose josef joseph josh kay kaye kelly kellie ken kenny kent kim kirk kurt curt lee leigh leo ' +
  'max maxi may maya mia mike mick mickey mitch nick nicki nico noah nora norah norma ollie oliver oscar pam pat patty paul ' +
  'paula phil ray rene renee rick ricky rob roger sally sam sammy sandra sandy scott sid simon simone sophie sue susan suzan ' +
  'ted teddy terry vera vince wade walt walter ward warren wendy will willy yan zoe zack zach cassie castle casey cody ' +
  'chance chase grant grace faith hope joy summer autumn dawn april june art bill drew frank gene guy harmony jack lance ' +
  'texas maine utah ohio iowa idaho nevada oregon kansas alaska arizona florida georgia miami dallas austin boston denver ' +
  'melody miller nelson price rusty sawyer skip skyler sonny trace tracy tracey victor wayne whitney';
