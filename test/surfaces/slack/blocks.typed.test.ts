import { describe, expect, it } from 'vitest';
import { textOfRich, typedLine, typedText } from '../../../src/surfaces/slack/blocks/text.ts';
import { slackTexts } from '../../support/inputs/texts.ts';

describe('what Slack sends', () => {
  it.each(slackTexts)('becomes what was typed: $what', ({ slack, typed }) => {
    expect(typedText(slack)).toBe(typed);
    expect(typedLine(slack).replaceAll('\u2005', ' ')).toBe(typed);
  });

  it('is changed back once: what was escaped stays text', () => {
    expect(typedText('&lt;tel:+1|x&gt;')).toBe('<tel:+1|x>');
    expect(typedText('&amp;lt;')).toBe('&lt;');
  });

  it.each(['<@U0AVA>', '<#C0HELP>', '<!subteam^S01>'])('without a name stays a reference: %s', (text) =>
    expect(typedText(`Ask ${text}`)).toBe(`Ask ${text}`),
  );

  it('in blocks alone becomes what was typed, with every piece in its place', () => {
    const text = (one: string) => ({ type: 'text', text: one });
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
    const typed = (...elements: object[]) => typedText(textOfRich({ type: 'rich_text', elements }));
    const bold = { type: 'text', text: 'noon', style: { bold: true } };
    expect(typed(section(text('text 0102 "at '), bold, text(', <not> at '), bold, text('"')))).toBe(
      'text 0102 "at noon, <not> at noon"',
    );
    expect(typed(section(text('park '), { type: 'link', url: 'tel:+12015550105' }))).toBe('park +12015550105');
    expect(typed(section({ type: 'link', url: 'https://a.example/x', text: 'a.example/x' }))).toBe('a.example/x');
    expect(typed(section(text('Ask '), { type: 'user', user_id: 'U0AVA' }, { type: 'emoji', name: 'wave' }))).toBe(
      'Ask <@U0AVA>👋',
    );
    const list = { type: 'rich_text_list', elements: [section(text('0105')), section(text('0106'))] };
    expect(typed(section(text('these:')), list)).toBe('these:\n0105\n0106');
  });
});
