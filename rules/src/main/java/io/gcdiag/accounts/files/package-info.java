/** File I/O: how much of the lost time it takes. */
package io.gcdiag.accounts.files;
