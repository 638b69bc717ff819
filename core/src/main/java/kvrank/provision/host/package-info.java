/** What a server leaves on this machine, who owns it, and its removal. */
package kvrank.provision.host;
