/* States and ZIP codes of the US, as the post spells them. */

const STATES = new Map(
  (
    'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|' +
    'DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|' +
    'KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|' +
    'MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|' +
    'NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|' +
    'SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|' +
    'WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|PR Puerto Rico|' +
    'VI Virgin Islands|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific'
  )
    .split('|')
    .map((state) => [state.slice(0, 2).toLowerCase(), state.slice(3).toLowerCase()]),
);
const NAMES = new Set(STATES.values());

/** True for the code or the name of a state or territory, in any letter case: the platform's examples have both. */
export function isUsState(text: string): boolean {
  const state = text.trim().toLowerCase().replace(/\s+/g, ' ');
  return STATES.has(state) || NAMES.has(state);
}

export const US_STATE = 'must be a US state, for example IL or Illinois';

export const US_ZIP = /^\d{5}(-\d{4})?$/;
export const US_ZIP_TEXT = 'a ZIP code has five digits, for example 60601 or 60601-1234';
