import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const tagPolicy = rpcs(TagService, {
  list: read(),
  // The contract opens these rpcs to any member, yet defines TAGS_MANAGE as the permission to create, edit, and delete
  // tags.
  create: change('TAGS_MANAGE'),
  update: change('TAGS_MANAGE'),
  delete: change('TAGS_MANAGE'),
  health: read(),
});
