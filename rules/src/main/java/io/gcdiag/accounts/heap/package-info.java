/** The heap: live set, headroom, resizing, large objects, who allocates. */
package io.gcdiag.accounts.heap;
