import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

async function suggestZones(_context: Context, text: string): Promise<readonly Suggestion[]> {
  const query = text.toLowerCase().replace(/\s/g, '_');
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone) => zone.toLowerCase().includes(query));
  return zones.slice(0, 50).map((zone) => ({ value: zone, label: zone }));
}

/** The options of a text param for a time zone. */
export const timeZoneOptions = {
  clears: true,
  placeholder: 'Europe/Amsterdam',
  suggest: suggestZones,
  check: (value: string): Message | undefined =>
    value === '' || isTimeZone(value) ? undefined : message('core:validation.timeZone', { value }),
};
