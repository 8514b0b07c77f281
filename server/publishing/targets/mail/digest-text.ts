/** The body of a notification email. It's plain text because names and descriptions come from users and devices. */
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { EventSummary } from '#server/db/schema/mail.ts';
import type { NewEmail } from '#server/mail/queue.ts';

/** The organization that an email is about. */
export interface DigestContext {
  /** The URL of the console, without a trailing slash. */
  readonly origin: string;
  /** The slug. */
  readonly organization: string;
  /** The display name of the organization. */
  readonly name: string;
  /** The names of its health levels, mildest first. */
  readonly levels: readonly string[];
}

/** Groups the levels, worst first. The worst level is an error, the mildest is fine, and the others are warnings. */
const troubleLevels = (levels: readonly string[]): [levels: readonly string[], phrase: string][] => [
  [levels.slice(1).slice(-1), 'in error'],
  [levels.slice(1, -1), 'with a warning'],
];

const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;

/** Returns the headline: the title of a single event, the number of unhealthy devices, or the event count. */
export function headline(summaries: readonly EventSummary[], levels: readonly string[]): string {
  const [first] = summaries;
  const total = summaries.reduce((sum, { count }) => sum + count, 0);
  if (first !== undefined && total === 1) return first.title;
  for (const [names, phrase] of troubleLevels(levels)) {
    const worst = summaries.filter(
      (summary) => summary.type === EventType.ALARM_TRIGGERED && names.includes(summary.level ?? ''),
    );
    const devices = new Set(worst.flatMap((summary) => summary.devices));
    if (devices.size > 0) return `${countText(devices.size, 'device')} ${phrase}`;
  }
  if (first !== undefined && summaries.length === 1) return `${first.title} (${total.toLocaleString('en')} times)`;
  return countText(total, 'event');
}

/** Formats a time in UTC because the server doesn't know the reader's time zone. */
const formatTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;

export function digestEmail(to: string, summaries: readonly EventSummary[], context: DigestContext): NewEmail {
  const { origin, name, organization, levels } = context;
  const paragraphs = [...summaries].sort((a, b) => rank(a, levels) - rank(b, levels)).map(paragraph);
  const query = `organization=${encodeURIComponent(organization)}`;
  return {
    to,
    subject: `${name}: ${headline(summaries, levels)}`,
    body: `${[
      `What happened at ${name}:`,
      ...paragraphs,
      `Open the console:\n${origin}/devices?${query}`,
      `You are receiving this email because you subscribed to events. Change or stop these emails here:\n${origin}/user/email-preferences?${query}`,
    ].join('\n\n')}\n\nQuarterdeck\n`,
  };
}

/** Sorts the worst levels first. */
function rank({ level }: EventSummary, levels: readonly string[]): number {
  const index = levels.indexOf(level ?? '');
  return index === -1 ? levels.length : levels.length - index;
}

function paragraph({ title, level, count, samples }: EventSummary): string {
  const heading = [title, ...(level === undefined ? [] : [` [${level}]`]), ...(count > 1 ? [` × ${count}`] : [])].join(
    '',
  );
  const lines = samples.map(({ time, description }) => `  ${formatTime(time)}  ${description}`);
  const unlisted = count - samples.length;
  return [heading, ...lines, ...(unlisted > 0 ? [`  and ${unlisted.toLocaleString('en')} more`] : [])].join('\n');
}
