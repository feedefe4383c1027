// Package session keeps what a session has to remember between two processes: one JSON object a
// session, in <home>/<sid>/state.json. It knows where that file is, who may write it, and how to change
// it so that neither a second writer nor a crash loses anything. It refuses an id that is no plain name,
// a home that belongs to somebody else, and a file that is not a JSON object. What the object says is the
// business of the packages above; only `.rulph.schema` and `.rulph.status` are read here, because they
// decide whether a state may be written or removed at all.
package session
