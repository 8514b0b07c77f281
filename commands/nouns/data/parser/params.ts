import { p } from '#commands/model/params.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';

const path = (placeholder: string) => p.text({ clears: true, maxLength: MAX_LENGTH.fieldPath, placeholder });

/** Params shared by the upload and edit commands. */
export const parserParams = {
  requiredMetadata: p.pairs({ maxLength: MAX_LENGTH.fieldPath }),
  messageMetadata: p.words({ maxLength: MAX_LENGTH.fieldPath }),
  deviceMetadata: p.words({ maxLength: MAX_LENGTH.fieldPath }),
  latitude: path('position.latitude'),
  longitude: path('position.longitude'),
  measuredAt: path('measured_at'),
  measuredOffset: path('age'),
};

export const definitionParam = p.text({
  multiline: true,
  mono: true,
  maxLength: MAX_LENGTH.definition,
  fromInput: true,
  placeholder: 'meta:\n  id: level\nseq:\n  - id: level\n    type: u2be',
});

export const nameParam = p.text({ maxLength: MAX_LENGTH.parserName });

/**
 * A definition file. YAML has no single MIME type across browsers and systems, so accept the common ones and the `.ksy`
 * extension.
 */
export const definitionFileParam = p.file({
  accept: [
    'application/yaml',
    'application/x-yaml',
    'text/yaml',
    'text/x-yaml',
    'text/plain',
    'application/octet-stream',
    '.ksy',
  ],
  maxBytes: MAX_LENGTH.definition,
});
