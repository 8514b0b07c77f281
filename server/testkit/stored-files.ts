import { randomUUID } from 'node:crypto';

import { create, toBinary } from '@bufbuild/protobuf';

import { Export_FormatSchema, Export_Status } from '#proto/gen/hiber/export_pb.ts';
import type { App } from '#server/app/app.ts';
import { exportLink } from '#server/domains/data/export/present.ts';
import { dataExport, exportFile } from '#server/domains/data/export/schema.ts';
import { appendContent, createExportContent } from '#server/domains/data/file/content.ts';
import { storeFile } from '#server/domains/data/file/store.ts';

type Server = Pick<App, 'db' | 'now'>;

/** Stores a file without a call, so only the calls under test are recorded. */
export async function addFile({ db, now }: Server, organization: string, bytes: Uint8Array) {
  const newFile = { identifier: undefined, name: 'plan.txt', mediaType: 'text/plain', expiresAt: null };
  return db.transaction((tx) => storeFile(tx, organization, newFile, { content: bytes, url: undefined }, now()));
}

/** Stores a finished export of messages with one file, and returns the link of the file. */
export async function addExport({ db, now }: Server, organization: string, bytes: Uint8Array): Promise<string> {
  const identifier = randomUUID();
  const time = now();
  const expiresAt = new Date(time.getTime() + 60_000);
  await db.transaction(async (tx) => {
    const content = await createExportContent(tx, organization, time);
    await appendContent(tx, organization, content, bytes);
    await tx.insert(dataExport).values({
      organization,
      identifier,
      name: 'plan',
      status: Export_Status.READY,
      kind: 'messages',
      owners: [],
      rangeEnd: time,
      format: Buffer.from(toBinary(Export_FormatSchema, create(Export_FormatSchema))),
      expiresIn: 60,
      requestedBy: 'someone',
      emailSubscribed: false,
      units: {},
      hidden: false,
      createdAt: time,
      dueAt: time,
      expiresAt,
    });
    await tx
      .insert(exportFile)
      .values({ organization, export: identifier, index: 0, key: identifier, content, expiresAt });
  });
  return exportLink({ organization, key: identifier });
}
