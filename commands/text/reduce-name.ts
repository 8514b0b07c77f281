/**
 * Reduces the name of a simple parser or of its fields and types to lowercase letters, digits, and underscores,
 * beginning with a letter (contract: simple parser). Returns an empty string if no letter from a to z is left.
 */
export function reduceName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[0-9_]+/, '')
    .replace(/_$/, '');
}
