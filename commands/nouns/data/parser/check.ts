import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';

/**
 * Compiles a definition on the server without storing it.
 *
 * @throws CommandError naming the line of the mistake and, for an unknown type, the types that were probably meant
 */
export async function checkDefinition(
  { api, organization, signal }: Context,
  contentKsy: string,
  param: string,
): Promise<void> {
  const { result } = await api(ModemMessageBodyParserService).test(
    {
      organization: organization.id,
      parser: { case: 'contentKsy', value: contentKsy },
      data: { case: 'parseBytes', value: { bytes: new Uint8Array([0]) } },
    },
    { signal },
  );
  // Any other error is about the byte, which is sent only because the request needs one.
  if (result.case !== 'error' || !/^Line \d+: /.test(result.value)) return;
  const { nearTypes } = await import('./outline.ts');
  const nearMisses = nearTypes(result.value, contentKsy);
  const text = result.value.replace(/"([^"\n]*)"/g, '“$1”');
  throw new CommandError(
    nearMisses.length > 0
      ? message('parser:validation.definitionNear', { text, near: nearMisses.join(', ') })
      : message('parser:validation.definition', { text }),
    param,
  );
}
