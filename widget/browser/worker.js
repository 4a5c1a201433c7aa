// The thread of Python, where a page may have one of its own for it.

import { Python } from "./python.js";

const python = new Python((report) => self.postMessage(report), self.name);

self.onmessage = (event) => python.hear(event.data);
