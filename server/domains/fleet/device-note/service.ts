import { DeviceNoteService } from '#proto/gen/hiber/device_note_pb.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';

import { addNotes } from './add.ts';
import { listNotes } from './list.ts';
import { updateNote } from './update.ts';

export const deviceNoteService = service(DeviceNoteService, (app) => ({
  list: (request, context) => listNotes(app, scope(context), request),
  add: (request, context) => addNotes(app, scope(context), request),
  update: (request, context) => updateNote(app, scope(context), request),
}));
