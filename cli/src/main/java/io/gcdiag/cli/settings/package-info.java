/** Settings files: which there are, what may stand in them, and which of them counts. */
package io.gcdiag.cli.settings;
