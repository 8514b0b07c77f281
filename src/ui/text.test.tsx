import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';

import { fitChips } from './fit-chips.ts';
import { HealthMark } from './HealthMark.tsx';
import { initials } from './initials.ts';
import { organizationHue } from './org-hue.ts';
import { TagChips } from './TagChips.tsx';

afterEach(cleanup);

test.each([
  ['Ada van Vliet', '', 'AV'],
  ['Ada', '', 'A'],
  ['', 'noor@example.com', 'N'],
])('the initials of the name %j with the email %j are %s', (name, email, expected) => {
  expect(initials(name, email)).toBe(expected);
});

describe('tags in a cell', () => {
  const names = ['Heron 8', 'North field', 'Needs visit'];
  test("are counted, and listed for screen readers, if they don't fit", () => {
    render(<TagChips names={names} width={90} />);
    expect(screen.getByText('Heron 8')).toBeTruthy();
    expect(screen.getByText('+2').parentElement?.textContent).toContain('North field, Needs visit');
  });
  test('are all shown if there is room, and at least one is always shown', () => {
    expect(fitChips(names, 1000)).toBe(3);
    expect(fitChips(names, 5)).toBe(1);
    expect(fitChips([], 100)).toBe(0);
  });
});

test('gives each health mark a name and its own shape', () => {
  render(
    <>
      <HealthMark level="ERROR" label="Error" />
      <HealthMark level="OK" label="OK" />
    </>,
  );
  const shape = (name: string) => screen.getByRole('img', { name }).querySelector('path')?.getAttribute('d');
  expect(shape('Error')).not.toBe(shape('OK'));
});

test('gives each organization a stable hue, spread over the allowed range', () => {
  expect(organizationHue('acme')).toBe(organizationHue('acme'));
  const hues = Array.from({ length: 20 }, (_, i) => organizationHue(`org-${i}`));
  expect(new Set(hues).size).toBeGreaterThan(12);
  expect(hues.every((hue) => hue >= 185 && hue < 345)).toBe(true);
});
