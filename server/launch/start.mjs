// Implements `npm start`. Imports nothing before the version check, so an old Node version shows a message instead of a
// stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Quarterdeck needs Node 20.19 or newer, but this is ${process.version}. See https://nodejs.org.`);
  process.exit(1);
}
await import('./launch.mjs');
