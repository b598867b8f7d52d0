/** Environment variables that a browser needs: paths, locale and display. None is ours, and none holds a secret. */
const ALLOWED = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TMP',
  'TEMP',
  'TZ',
  'LANG',
  'LANGUAGE',
  'LD_LIBRARY_PATH',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'CHROME_DEVEL_SANDBOX',
  'SYSTEMROOT',
  'WINDIR',
  'SYSTEMDRIVE',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
]);
const ALLOWED_GROUP = /^(?:LC|XDG)_/;

/**
 * The whole environment of a child process (T18). It is a list of allowed variables, so that it contains no secret of
 * the server.
 */
export function childEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const allowed = Object.entries(env).filter(([name]) => ALLOWED.has(name.toUpperCase()) || ALLOWED_GROUP.test(name));
  return Object.fromEntries(allowed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
