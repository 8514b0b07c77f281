import { enumLabels } from '#commands/kit/enum-labels.ts';
import { locationParam } from '#commands/kit/location.ts';
import { timeZoneOptions } from '#commands/kit/time-zones.ts';
import { p } from '#commands/model/params.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';

export const typeLabels = enumLabels(ProcessPoint_Type, 'process-point:type');

export type TypeName = keyof typeof ProcessPoint_Type;

/** The types that a point can have; UNKNOWN clears the type. */
export const TYPES = p.names(ProcessPoint_Type, ['UNKNOWN']);

/** Params shared by the create and edit commands. */
export const pointParams = {
  type: p.choice(TYPES, { label: typeLabels.byName }),
  description: p.text({ multiline: true, clears: true, maxLength: MAX_LENGTH.notes }),
  location: locationParam,
  timeZone: p.text(timeZoneOptions),
  expectedRate: p.number({ integer: true, min: 0, max: 86_400 }),
  metadata: p.pairs(),
  notes: p.text({ multiline: true, clears: true, maxLength: MAX_LENGTH.notes }),
};
