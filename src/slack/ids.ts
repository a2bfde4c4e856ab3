/** What Slack sends back to us: the names of buttons, forms and shortcuts. One place, so that both sides agree. */
export const IDS = {
  confirm: 'sb_confirm',
  decline: 'sb_decline',
  check: 'sb_check',
  share: 'sb_share',
  json: 'sb_json',
  page: 'sb_page',
  form: 'sb_form',
  fill: 'sb_fill',
  look: 'sb_look',
  next: 'sb_next',
  nextMore: 'sb_next_more',
  pick: 'sb_pick',
  value: 'sb_value',
  submit: 'sb_submit',
  messageShortcut: 'sb_find_numbers',
  globalShortcut: 'sb_lookup',
} as const;
