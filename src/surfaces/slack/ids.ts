/** Names of buttons, forms and shortcuts that Slack sends back. */
export const IDS = {
  confirm: 'sb_confirm',
  decline: 'sb_decline',
  withdraw: 'sb_withdraw',
  reason: 'sb_reason',
  everything: 'sb_everything',
  again: 'sb_again',
  check: 'sb_check',
  wasDone: 'sb_was_done',
  wasNot: 'sb_was_not_done',
  share: 'sb_share',
  json: 'sb_json',
  page: 'sb_page',
  form: 'sb_form',
  fill: 'sb_fill',
  run: 'sb_run',
  look: 'sb_look',
  ask: 'sb_ask',
  feedback: 'sb_feedback',
  qr: 'sb_qr',
  guide: 'sb_guide',
  guard: 'sb_guard',
  orderLook: 'sb_order_look',
  orderFix: 'sb_order_fix',
  orderStop: 'sb_order_stop',
  next: 'sb_next',
  nextMore: 'sb_next_more',
  pick: 'sb_pick',
  value: 'sb_value',
  row: 'sb_row',
  more: 'sb_more',
  guardBack: 'sb_guard_revise',
  submit: 'sb_submit',
  messageShortcut: 'sb_find_numbers',
  globalShortcut: 'sb_lookup',
} as const;

export const SHORTCUTS = { message: IDS.messageShortcut, global: IDS.globalShortcut };

/** The shortcut that opens a guide from anywhere in Slack. */
export const guideShortcut = (name: string) => `${IDS.guide}_${name}`;
