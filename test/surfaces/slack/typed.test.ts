import { describe, expect, it } from 'vitest';
import { typedLine, typedText } from '../../../src/surfaces/slack/typed.ts';
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
});
