/**
 * What a notification mail says. Plain text: names and descriptions are whatever people and devices call themselves.
 */
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Happening } from '#server/db/schema/mail.ts';
import type { NewMail } from '#server/mail/queue.ts';

export interface Place {
  /** Where the console is, without a slash at the end. */
  readonly origin: string;
  /** Slug. */
  readonly organization: string;
  /** The organization as people call it. */
  readonly name: string;
  /** Names of its health levels, mildest first. */
  readonly levels: readonly string[];
}

/** The worst level is an error, the mildest is fine, and what is between them warns; worst first. */
const inWords = (levels: readonly string[]): [levels: readonly string[], words: string][] => [
  [levels.slice(1).slice(-1), 'in error'],
  [levels.slice(1, -1), 'with a warning'],
];

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;

/** The gist: the title of a single event, how many devices are in trouble, or how much happened. */
export function headline(happenings: readonly Happening[], levels: readonly string[]): string {
  const [first] = happenings;
  const total = happenings.reduce((sum, { count }) => sum + count, 0);
  if (first !== undefined && total === 1) return first.title;
  for (const [names, words] of inWords(levels)) {
    const worst = happenings.filter(
      (happening) => happening.type === EventType.ALARM_TRIGGERED && names.includes(happening.level ?? ''),
    );
    const devices = new Set(worst.flatMap((happening) => happening.devices));
    if (devices.size > 0) return `${counted(devices.size, 'device')} ${words}`;
  }
  if (first !== undefined && happenings.length === 1) return `${first.title} (${total.toLocaleString('en')} times)`;
  return counted(total, 'event');
}

/** In UTC, as nobody tells the server another time zone. */
const clock = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

export function letter(to: string, happenings: readonly Happening[], place: Place): NewMail {
  const { origin, name, organization } = place;
  const told = [...happenings].sort((a, b) => rank(a, place.levels) - rank(b, place.levels)).map(paragraph);
  const query = `organization=${encodeURIComponent(organization)}`;
  return {
    to,
    subject: `${name}: ${headline(happenings, place.levels)}`,
    body: `${[
      `What happened at ${name}:`,
      ...told,
      `Open the console:\n${origin}/devices?${query}`,
      `You get this mail because you asked to be told about events. Change or stop these mails here:\n${origin}/user/email-preferences?${query}`,
    ].join('\n\n')}\n\nQuarterdeck\n`,
  };
}

/** Trouble first. */
function rank({ level }: Happening, levels: readonly string[]): number {
  const place = levels.indexOf(level ?? '');
  return place === -1 ? levels.length : levels.length - place;
}

function paragraph({ title, level, count, samples }: Happening): string {
  const heading = [title, ...(level === undefined ? [] : [` [${level}]`]), ...(count > 1 ? [` × ${count}`] : [])].join(
    '',
  );
  const lines = samples.map(({ time, description }) => `  ${clock(time)}  ${description}`);
  const more = count - samples.length;
  return [heading, ...lines, ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : [])].join('\n');
}
