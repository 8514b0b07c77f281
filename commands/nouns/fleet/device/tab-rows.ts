import type { DetailPart } from '#commands/model/column.ts';
import { message, type Message } from '#commands/text/message.ts';

const MONO: readonly string[] = ['location', 'gatewayMessage', 'body', 'fields', 'metadata'];

/** Maximum rows of a panel tab (spec 9). */
export const MAX_ROWS = 100;

type Part = readonly [
  name: string,
  text: string | Message | undefined,
  time?: number | undefined,
  links?: DetailPart['links'],
];

export function detailParts(parts: readonly Part[]): readonly DetailPart[] {
  return parts.flatMap(([name, text, time, links]) =>
    text
      ? [
          {
            label: message(`device:detailTabs.detail.${name}`),
            text,
            time,
            mono: time === undefined && MONO.includes(name),
            ...(links ? { links } : {}),
          },
        ]
      : [],
  );
}
