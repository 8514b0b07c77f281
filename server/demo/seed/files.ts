import { crc32, deflateSync } from 'node:zlib';

import { PART_BYTES } from '#server/domains/data/file/content.ts';
import type { deviceFile, file, fileContent, filePart } from '#server/domains/data/file/schema.ts';

import type { Fleet } from './fleet.ts';

interface SeededFiles {
  readonly contents: (typeof fileContent.$inferInsert)[];
  readonly parts: (typeof filePart.$inferInsert)[];
  readonly files: (typeof file.$inferInsert)[];
  readonly links: (typeof deviceFile.$inferInsert)[];
}

/** Returns a photo and a manual, which the fleet's first devices share. */
export function seedFiles({ devices }: Fleet, organization: string, now: Date): SeededFiles {
  const manual = 'Mount the sensor at eye level.\nTighten the fitting by hand, then by a quarter turn.\n';
  const items = [
    { identifier: 'demo-photo', name: 'Well head.png', mediaType: 'image/png', data: drawWellHead() },
    { identifier: 'demo-manual', name: 'Mounting.txt', mediaType: 'text/plain', data: Buffer.from(manual) },
  ];
  return {
    contents: items.map(({ identifier: id, data }) => ({ organization, id, size: data.length, createdAt: now })),
    parts: items.flatMap(({ identifier: content, data }) => ({ organization, content, index: 0, data: onePart(data) })),
    files: items.map(({ identifier, name, mediaType }) => ({
      organization,
      identifier,
      name,
      mediaType,
      content: identifier,
      createdAt: now,
    })),
    links: devices
      .slice(0, 12)
      .flatMap(({ number }) => items.map(({ identifier }) => ({ organization, number, file: identifier }))),
  };
}

function onePart(data: Buffer): Buffer {
  if (data.length > PART_BYTES) throw new Error('A file of the demo has more than one part.');
  return data;
}

const [WIDTH, HEIGHT] = [320, 240];

/** Draws a well head in front of a dusk sky, as a PNG. */
function drawWellHead(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const row = Buffer.alloc(1 + WIDTH * 3);
    for (let x = 0; x < WIDTH; x++) row.set(colorAt(x, y), 1 + x * 3);
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // 8 bits per channel, RGB.
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function colorAt(x: number, y: number): readonly number[] {
  const isPipe = Math.abs(x - 160) < 12 && y > 70;
  const isArm = Math.abs(y - 130) < 9 && Math.abs(x - 160) < 70;
  const isWheel = Math.abs(Math.hypot(x - 160, y - 60) - 26) < 5;
  if (isPipe || isArm || isWheel) return [176, 58, 46];
  return y > 180 ? [122 - y / 8, 104 - y / 8, 82 - y / 8] : [70 + y, 110 + y / 2, 170 - y / 3];
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
