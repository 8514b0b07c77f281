import type { Context } from '#commands/model/context.ts';
import type { DeviceNote } from '#proto/gen/hiber/device_note_pb.ts';

import { device } from '../entity.ts';
import { loadAllNotes } from './note.ts';

/** Loads the notes of the device in the panel or in the active row, oldest first. None if there is no such device. */
export async function loadFocusedNotes(context: Context): Promise<readonly DeviceNote[]> {
  const { focus, actor } = context;
  if (focus?.entity !== device.name || focus.active === undefined || !actor.abilities.has('VIEW_DEVICES')) return [];
  const [item] = await device.byIds(context, [focus.active]);
  return item ? loadAllNotes(context, item) : [];
}
