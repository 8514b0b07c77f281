import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { RoleSelectionSchema } from '#proto/gen/hiber/role_pb.ts';
import { roles } from '#server/policies/roles.ts';

import { isSelected } from './selection.ts';

const idsFor = (selection?: MessageInitShape<typeof RoleSelectionSchema>) =>
  roles
    .filter((role) => isSelected(role, selection && create(RoleSelectionSchema, selection)))
    .map(({ identifier }) => identifier)
    .join(' ');
const ALL = 'viewer operator developer administrator installer support';

test.each([
  [undefined, ALL],
  [{}, ALL],
  [{ roles: {} }, ALL],
  [{ search: ' ' }, ALL],
  [{ roles: { include: ['viewer', 'operator'] } }, 'viewer operator'],
  [{ roles: { exclude: ['viewer', 'operator'] } }, 'developer administrator installer support'],
  [{ roles: { include: ['viewer', 'operator'], exclude: ['viewer'] } }, 'operator'],
  // Searches the identifier, the name, and the description, ignoring case.
  [{ search: ' INSTALLER ' }, 'installer'],
  [{ search: 'support staff' }, 'support'],
  [{ search: 'runs the fleet' }, 'operator'],
  [{ search: 'runs the fleet', roles: { include: ['viewer'] } }, ''],
])('%j selects the roles "%s"', (selection, expected) => expect(idsFor(selection)).toBe(expected));
