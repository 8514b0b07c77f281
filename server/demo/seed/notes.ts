import type { deviceNote } from '#server/db/schema/device-note.ts';

import type { DeviceRow, Fleet } from './fleet.ts';
import { createRandom, type Random } from './random.ts';

type NoteRow = Required<Omit<typeof deviceNote.$inferInsert, 'organization' | 'number' | 'id'>>;

const GUIDE = 'Sensor installation';

/** The steps of the guide, each with the notes that installers write. */
const steps: readonly (readonly [title: string, ...texts: string[]])[] = [
  ['1 Site check', 'Permit signed, gas test 0 %.', 'Permit signed. Road to the pad is soft, 4x4 only.'],
  ['2 Unpack', 'Seal intact, label matches the order.', 'Box dented, device fine.'],
  ['3 Bracket', 'Bracket on the west side of the skid.', 'Two clamps instead of one because of the vibration.'],
  ['4 Process connection', 'Needle valve closed first, then 35 Nm.', 'New gasket, no leak at 60 bar.'],
  ['5 Antenna', 'Clear view to the gateway.', 'Moved above the handrail:\n- before: 2 of 10 messages\n- now: 10 of 10'],
  ['6 Grounding', 'Below 1 ohm.'],
  ['7 Power', 'Battery 3.62 V.', 'Battery 3.58 V, replaced it with a new one.'],
  ['8 First message', 'Received after 2 minutes.', 'Received after the second try.'],
  ['9 Reading', 'Within 0.1 bar of the hand gauge.', 'Reads 0.4 bar high, compared with the hand gauge.'],
  ['10 Photos', 'Photos sent to the office.', 'Photos of the plate and of the whole skid.'],
  ['11 Handover', 'Shown to the operator of the site.', 'Operator was away, left a note in the cabin.'],
];

const looseTexts: readonly string[] = [
  'Cable gland replaced. Keep an eye on moisture.',
  'Access through gate 2 only, call the site first.',
  'Cleaned the housing and tightened the bracket.',
  'Silent for two days after the storm. Came back by itself.',
  'Compared with the hand gauge: 0.1 bar difference.',
  'Landowner asks not to drive across the field in spring.',
  'Manual for this model: https://docs.example.com/manuals/pressure-lora-2\nThe settings are on page 12.',
  'Wasp nest behind the box, bring spray.',
];

const edits: readonly (readonly [before: string, after: string])[] = [
  ['Replace the battery in 2025.', 'Replace the battery in 2026.'],
  ['Bracket is lose.', 'Bracket is loose, fix at the next visit.'],
  ['Valve 3 leaks.', 'Valve 3 leaks slightly. Reported to maintenance, order 4471.'],
];

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Every device with this remainder has an installation guide, and every fourth has notes of people passing by. */
const GUIDE_INTERVAL = 10;
const NOTES_INTERVAL = 4;

/** Builds the notes of a fleet: some devices have those of an installation guide, and some have loose ones. */
export function seedNotes(
  fleet: Fleet,
  authors: readonly string[],
  now: Date,
): readonly (typeof deviceNote.$inferInsert)[] {
  const random = createRandom('notes');
  return fleet.devices.flatMap((device, index) => {
    const { organization, number } = device;
    const notes = [
      ...(index % GUIDE_INTERVAL === 1 ? guideNotes(random, device, random.pick(authors), now) : []),
      ...(index % NOTES_INTERVAL === 1 ? looseNotes(random, authors, now) : []),
    ].toSorted((a, b) => a.time.getTime() - b.time.getTime());
    return notes.map((note, position) => ({ organization, number, id: position + 1, ...note }));
  });
}

/** One installer writes a note for most steps, within an hour. */
function guideNotes(random: Random, { latitude, longitude }: DeviceRow, author: string, now: Date): NoteRow[] {
  let time = now.getTime() - random.between(31, 400) * DAY;
  return steps.flatMap(([step, ...texts], index) => {
    time += random.between(2, 9) * MINUTE;
    if (index > 0 && random.chance(0.15)) return [];
    const place = index === 0 ? { latitude: latitude ?? null, longitude: longitude ?? null } : {};
    return [{ ...plainNote(author, random.pick(texts), new Date(time)), guide: GUIDE, step, ...place }];
  });
}

function looseNotes(random: Random, authors: readonly string[], now: Date): NoteRow[] {
  return Array.from({ length: random.integer(1, 4) }, () => {
    const time = now.getTime() - random.between(0.2, 30) * DAY;
    const author = random.pick(authors);
    if (!random.chance(0.2)) return plainNote(author, random.pick(looseTexts), new Date(time));
    const [before, after] = random.pick(edits);
    return {
      ...plainNote(author, after, new Date(time)),
      messageHistory: [before],
      lastUpdatedAt: new Date(time + random.between(5, 200) * MINUTE),
    };
  });
}

const plainNote = (author: string, message: string, time: Date): NoteRow => ({
  message,
  messageHistory: [],
  time,
  lastUpdatedAt: null,
  author,
  guide: null,
  step: null,
  latitude: null,
  longitude: null,
});
