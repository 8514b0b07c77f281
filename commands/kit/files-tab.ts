import type { Column } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { MAX_FILE_BYTES } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import type { File } from '#proto/gen/hiber/file_pb.ts';

import { imageLink } from './file-item.ts';

/** An item lists all its files, so this only limits what is shown. */
const MAX_FILES = 1000;

interface FilesTab<Item> {
  /** The name of the entity, whose file commands act on the item. */
  readonly entity: string;
  /** The param of these commands for the item. */
  readonly target: string;
  readonly id: (item: Item) => string;
  readonly files: (item: Item) => readonly File[];
}

const columns: readonly Column<File>[] = [
  { id: 'fileName', title: message('common:files.name'), kind: 'text', width: 140, grow: 2, value: ({ name }) => name },
  {
    id: 'fileTime',
    title: message('common:files.time'),
    kind: 'time',
    width: 130,
    value: ({ time }) => textOf(time),
    time: ({ time }) => toMs(time),
  },
  {
    id: 'fileType',
    title: message('common:files.type'),
    kind: 'text',
    width: 90,
    grow: 1,
    value: ({ mediaType }) => mediaType,
  },
];

/** Returns the tab with the files of an item. The contract doesn't tell their sizes. */
export function filesTab<Item>({ entity, target, id, files }: FilesTab<Item>): DetailTab<Item> {
  return {
    id: 'files',
    add: (item) => ({ id: `${entity}.attach-file`, args: { [target]: { ids: [id(item)] } } }),
    addsMore: true,
    columns,
    limit: MAX_FILES,
    load: async (_context, item) => files(item),
    key: (row) => (row as File).identifier,
    files: {
      rows: files,
      param: 'file',
      maxBytes: MAX_FILE_BYTES,
      actions: (row, item) => {
        const args = { [target]: { ids: [id(item)] }, file: (row as File).identifier };
        return [
          { id: `${entity}.download-file`, args },
          { id: `${entity}.detach-file`, args },
        ];
      },
      staffActions: (row, item) => [
        { id: `${entity}.delete-file`, args: { [target]: { ids: [id(item)] }, file: (row as File).identifier } },
      ],
      image: (row) => imageLink(row as File),
    },
  };
}
