/** Pages of the rules and root causes, which the build packs into the jar; help and completion. */
package io.gcdiag.cli.manual;
