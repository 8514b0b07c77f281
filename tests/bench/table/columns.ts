import { formatAge } from '#commands/text/age.ts';
import type { Column, DrawCell } from '#src/table/columns.ts';
import { drawHealth, drawTags, drawText } from '#src/table/drawn-cells.ts';

import { type BenchDevice, LIFECYCLES } from './devices.ts';

/** Draws the number of received messages, and the number of expected messages in another color. */
const drawReceived: DrawCell<BenchDevice> = (cell, size) => {
  const received = drawText<BenchDevice>((device) => String(device.received))(cell, size);
  const expected = document.createElement('span');
  expected.className = 'text-ink-3';
  expected.textContent = ' / 24';
  cell.append(expected);
  return received;
};

/** Twelve columns, too wide for a 1440 px window, so the table scrolls sideways next to its frozen columns. */
export const columns: readonly Column<BenchDevice>[] = [
  {
    id: 'health',
    title: 'Health',
    hideTitle: true,
    frozen: true,
    min: 25,
    draw: drawHealth(({ health }) => ({ level: health, label: health })),
  },
  {
    id: 'number',
    title: 'Number',
    frozen: true,
    min: 88,
    tone: 'code',
    sortable: true,
    text: (device) => device.number,
  },
  { id: 'name', title: 'Name', min: 260, sortable: true, text: (device) => device.name },
  { id: 'type', title: 'Type', min: 66, fits: ['Gateway'], tone: 'quiet', text: (device) => device.type },
  { id: 'lifecycle', title: 'Lifecycle', min: 82, fits: LIFECYCLES, tone: 'quiet', text: (device) => device.lifecycle },
  {
    id: 'inactivity',
    title: 'Last message',
    min: 90,
    align: 'end',
    tone: 'quiet',
    sortable: true,
    text: (device) => formatAge(device.inactivity),
  },
  {
    id: 'received',
    title: 'Received',
    min: 72,
    align: 'end',
    draw: drawReceived,
  },
  {
    id: 'tags',
    title: 'Tags',
    min: 240,
    draw: drawTags((device) => device.tags),
  },
  { id: 'site', title: 'Site', min: 200, text: (device) => device.site },
  { id: 'point', title: 'Process point', min: 200, text: (device) => device.point },
  { id: 'firmware', title: 'Firmware', min: 90, tone: 'code', text: (device) => device.firmware },
  { id: 'battery', title: 'Battery', min: 90, align: 'end', tone: 'quiet', text: (device) => `${device.battery} mV` },
];
