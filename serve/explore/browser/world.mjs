// The explorer over whole releases, in one browser. See the scripts for what each looks at and which variables it needs.
import './panels.mjs';
import './keys.mjs';
import './map.mjs';
import './changes.mjs';
