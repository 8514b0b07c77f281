import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const tagPolicy = rpcs(TagService, {
  list: read(),
  // Annotated for any member, while TAGS_MANAGE is defined as the right to create, edit and delete tags.
  create: change('TAGS_MANAGE'),
  update: change('TAGS_MANAGE'),
  delete: change('TAGS_MANAGE'),
  health: read(),
});
