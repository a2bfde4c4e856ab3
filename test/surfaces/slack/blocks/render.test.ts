import { expect, it } from 'vitest';
import { barText } from '../../../../src/surfaces/slack/blocks/render.ts';

it.each([
  [0, '░░░░░░░░░░'],
  [0.001, '▓░░░░░░░░░'],
  [0.625, '▓▓▓▓▓▓░░░░'],
  [0.9875, '▓▓▓▓▓▓▓▓▓░'],
  [1, '▓▓▓▓▓▓▓▓▓▓'],
])('a share of %s is %s: full only if nothing is left, empty only if nothing was used', (share, bar) => {
  expect(barText(share)).toBe(bar);
});
